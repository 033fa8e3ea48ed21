#pragma once

#include "play/player.h"

namespace ippatsu::play {

// How a heuristic player leans; 1 is even-handed.
struct Style {
  std::string name = "heuristic";
  double push = 1;     // how much danger it accepts for a hand of its own
  double value = 2;    // how many live tiles a dora is worth to it
  int call_value = 0;  // han that a hand without yakuhai must have to be opened
};

// A sound player by rules of thumb: shanten and live tiles, with an eye for dora and yaku; calls
// that bring it nearer to a hand that can win; riichi; folds to those who are ahead, by classes of
// safety; and minds its place in the last round.
class HeuristicPlayer : public SimplePlayer {
 public:
  explicit HeuristicPlayer(Style style = {}) : style_(std::move(style)) {}

  std::string name() const override { return style_.name; }
  mahjong::Action choose(const Question& question) const override;

 private:
  Style style_;
};

}  // namespace ippatsu::play
