#include "play/random_player.h"

#include "base/split_mix.h"

namespace ippatsu::play {

mahjong::Action RandomPlayer::choose(const Question& question) const {
  const auto place = static_cast<uint64_t>(question.table->discards() * mahjong::kSeats) +
                     static_cast<uint64_t>(question.seat);
  uint64_t state = seed_;
  for (const uint64_t part : {question.game, question.events.size(), place})
    state = SplitMix64::mix(state + SplitMix64::kStep + part);
  const mahjong::ActionSet& legal = question.legal();
  return legal.nth(static_cast<int>(SplitMix64(state).below(static_cast<uint32_t>(legal.size()))));
}

}  // namespace ippatsu::play
