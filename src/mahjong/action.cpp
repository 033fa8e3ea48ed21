#include "mahjong/action.h"

#include <fmt/format.h>

namespace ippatsu::mahjong {

std::string to_string(Action action) {
  constexpr std::array<std::string_view, 3> kPlaces = {"low", "middle", "high"};
  if (action.is_discard()) return fmt::format("discard {}", mjai_name(action.tile()));
  if (action.is_kan()) return fmt::format("kan {}", mjai_name(Tile::of_kind(action.kind())));
  if (action.is_chi())
    return fmt::format("chi {}{}", kPlaces[static_cast<size_t>(action.place())],
                       action.red() ? " red" : "");
  if (action.is_pon()) return action.red() ? "pon red" : "pon";
  if (action == Action::riichi()) return "riichi";
  if (action == Action::open_kan()) return "open kan";
  if (action == Action::win()) return "win";
  if (action == Action::nine_terminals()) return "nine terminals";
  return action == Action::north() ? "north" : "pass";
}

}  // namespace ippatsu::mahjong
