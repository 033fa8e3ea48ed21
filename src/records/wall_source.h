#pragma once

// The walls of a game, from what its record says they follow from.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "mahjong/wall.h"
#include "records/tenhou_wall.h"

namespace ippatsu::mahjong {

// Those of a game that was played here (mahjong/game.h).
class ShuffledWalls {
 public:
  explicit ShuffledWalls(uint64_t seed) : seed_(seed) {}

  Wall next(bool red_fives) { return Wall::shuffled(seed_, rounds_++, red_fives); }

 private:
  uint64_t seed_;
  int rounds_ = 0;
};

class WallSource {
 public:
  // The wall of the next round, repeats counted as rounds of their own.
  Wall next(bool red_fives);

 private:
  friend std::optional<WallSource> wall_source(std::string_view seed);

  using Walls = std::variant<TenhouWalls, ShuffledWalls>;

  explicit WallSource(Walls walls) : walls_(walls) {}

  Walls walls_;
};

// `seed` is a StartGame::wall_seed. None where it is of no kind that is known here; fails where it
// is of a known kind and broken.
std::optional<WallSource> wall_source(std::string_view seed);

}  // namespace ippatsu::mahjong
