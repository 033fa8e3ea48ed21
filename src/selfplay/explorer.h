#pragma once

// A net that plays by chance, and remembers. Its policy is softmax(logits / temperature): below a
// temperature of 1 it tries only what it takes for nearly as good as the best.

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/split_mix.h"
#include "data/encoded_record.h"
#include "nets/net_player.h"
#include "play/player.h"

namespace ippatsu::selfplay {

// A choice that was made, and what came of it.
struct Moment {
  data::Row row;
  float log_p = 0;    // of the choice, by the net that made it
  float reward = 0;   // what the round brought, in rank points; where it is the seat's last of it
  bool last = false;  // of its seat in its round
};

// Of a full policy. What it does in a game follows from its seed and the game alone, but for what
// rounding the size of a batch changes.
class Explorer : public play::Player {
 public:
  Explorer(models::Naga model, torch::Device device, double temperature, uint64_t seed)
      : evaluator_(std::move(model), device), temperature_(temperature), seed_(seed) {}

  std::string name() const override { return "explorer"; }
  void answer(std::span<const play::Question> questions, std::span<play::Answer> answers) override;
  void end_game(uint64_t game, std::span<const mahjong::Event> events) override;

  // The moments of all games that ended since the last call. Those of a seat in a round follow one
  // another in the order of play.
  std::vector<Moment> take();

 private:
  struct Remembered {
    Moment moment;
    mahjong::Seat seat;
    int round;  // round_key of its table
  };
  struct Memory {
    SplitMix64 random;
    std::vector<Remembered> moments;
  };

  Memory& memory_of(uint64_t game);

  nets::Evaluator evaluator_;
  double temperature_;
  uint64_t seed_;
  std::mutex mutex_;  // of all that follows, and of the evaluator
  std::unordered_map<uint64_t, Memory> playing_;
  std::vector<Moment> finished_;
};

}  // namespace ippatsu::selfplay
