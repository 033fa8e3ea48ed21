#pragma once

// What a seat chooses, as programs that speak mjai tell it.

#include <nlohmann/json.hpp>

#include "mahjong/table.h"

namespace ippatsu::mahjong {

// {"type":"none"} for passing, else the event that the action would bring about. Where the action
// is legal.
nlohmann::ordered_json mjai_of_choice(const Table& table, Seat seat, Action action);

// The legal action that is told. A discard is known by its tile, a call or kan by the tiles of
// one's own, the rest by their type; a five may be named without saying that it is the red one,
// where it can be no other. Fails with what is wrong, or with all that is legal.
Action choice_of_mjai(const nlohmann::json& told, const Table& table, Seat seat);

}  // namespace ippatsu::mahjong
