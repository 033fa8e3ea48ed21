// How fast games are played when all choose at random among what is legal: rules only, one thread.

#include <benchmark/benchmark.h>

#include "base/split_mix.h"
#include "mahjong/game.h"

namespace ippatsu::mahjong {
namespace {

void random_games(benchmark::State& state) {
  SplitMix64 random(1);
  uint64_t seed = 0;
  int64_t decisions = 0;
  for (auto _ : state) {
    Game game(RuleSet{}, seed++);
    while (!game.over())
      for (Seat seat = 0; seat < kSeats; ++seat)
        if (game.asks(seat)) {
          const ActionSet& legal = game.legal(seat);
          game.choose(
              seat, legal.nth(static_cast<int>(random.below(static_cast<uint32_t>(legal.size())))));
          ++decisions;
        }
  }
  state.SetItemsProcessed(decisions);
  state.counters["decisions/game"] =
      static_cast<double>(decisions) / static_cast<double>(state.iterations());
}
BENCHMARK(random_games);

}  // namespace
}  // namespace ippatsu::mahjong
