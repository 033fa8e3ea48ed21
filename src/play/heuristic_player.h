#pragma once

#include <array>

#include "play/player.h"

namespace ippatsu::play {

// How much a player likes each action, by index.
using Ratings = std::array<double, mahjong::Action::kCount>;

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

  // Its liking for every legal action, counted in live tiles; what choose() takes has most. Minus
  // infinity for what is not legal.
  Ratings rate(const Question& question) const;

 private:
  Style style_;
};

}  // namespace ippatsu::play
