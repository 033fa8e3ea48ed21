#pragma once

#include "play/player.h"

namespace ippatsu::play {

// Any legal action, all alike. What it draws follows from its seed and from what it is asked, so
// that a game can be played again.
class RandomPlayer : public SimplePlayer {
 public:
  explicit RandomPlayer(uint64_t seed = 0) : seed_(seed) {}

  std::string name() const override { return "random"; }
  mahjong::Action choose(const Question& question) const override;

 private:
  uint64_t seed_;
};

}  // namespace ippatsu::play
