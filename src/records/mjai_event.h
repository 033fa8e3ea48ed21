#pragma once

// mjai, one event at a time: what files of it and programs that speak it have in common.
//
// A game under way is told to each seat by itself. What it may not see, the others' hands and
// draws, is "?" then, and the walls' seed is left out.

#include <nlohmann/json.hpp>
#include <optional>

#include "mahjong/event.h"

namespace ippatsu::mahjong {

// The event as a JSON object; for `viewer` what that seat may see, else all. `rules` are those of
// the game.
nlohmann::ordered_json mjai_of(const Event& event, const RuleSet& rules,
                               std::optional<Seat> viewer = {});

class MjaiEventReader {
 public:
  // With a viewer, what others hold may be hidden: such tiles are read as some tile, which a table
  // that is seen by the viewer does not look at.
  explicit MjaiEventReader(std::optional<Seat> viewer = {}) : viewer_(viewer) {}

  // Fails on what is no mjai event.
  Event read(const nlohmann::json& event);

 private:
  std::optional<Seat> viewer_;
  Tile last_open_;  // which a win that names no tile is on
};

}  // namespace ippatsu::mahjong
