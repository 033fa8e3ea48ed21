#pragma once

#include "play/player.h"

namespace ippatsu::play {

// Goes by shanten alone: discards what leaves it lowest with the most tiles to lower it further,
// declares riichi and wins where it may, never calls and never folds. What other players are
// measured against.
class GreedyPlayer : public SimplePlayer {
 public:
  std::string name() const override { return "greedy"; }
  mahjong::Action choose(const Question& question) const override;
};

}  // namespace ippatsu::play
