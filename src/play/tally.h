#pragma once

// How each of several players did in many games among each other.

#include <span>
#include <vector>

#include "play/arena.h"
#include "play/statistics.h"

namespace ippatsu::play {

struct Standing {
  RankCounts ranks{};
  Strength strength;  // no more than zeros without a game
  SeatRecord record;
};

// Its memory does not grow with the games. Intervals are from a bootstrap over games; over blocks
// of them where there are more than kMostBlocks.
class Tally {
 public:
  static constexpr size_t kMostBlocks = 10'000;

  explicit Tally(std::span<const PlannedGame> plan);

  // A game of the plan that was finished.
  void add(const PlayedGame& game);

  std::vector<Standing> standings() const;  // by player

 private:
  struct Player {
    std::vector<RankCounts> blocks;
    SeatRecord record;
  };

  std::span<const PlannedGame> plan_;
  size_t games_a_block_;
  std::vector<Player> players_;
};

}  // namespace ippatsu::play
