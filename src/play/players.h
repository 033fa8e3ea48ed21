#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "play/player.h"

namespace ippatsu::play {

struct PlayerRow {
  std::string_view name;
  std::string_view what;  // for help texts
  std::shared_ptr<Player> (*make)();
};

// The players that need nothing but the rules.
std::span<const PlayerRow> plain_players();

}  // namespace ippatsu::play
