// How fast hands are analysed. The tables are built before the clock starts.

#include <benchmark/benchmark.h>

#include "mahjong/shanten.h"
#include "mahjong/shanten_test_hands.h"
#include "mahjong/ukeire.h"

namespace ippatsu::mahjong {
namespace {

constexpr size_t kHands = 1 << 16;  // too many for the branch predictor to learn by heart

constexpr const char* kWallNames[] = {"all kinds", "one suit and honours", "one suit"};

template <typename Analysis>
void analyse(benchmark::State& state, int tiles, Analysis analysis) {
  const std::vector<KindCounts> hands =
      random_hands(static_cast<Wall>(state.range(0)), tiles, kHands);
  analysis(hands[0]);
  for (auto _ : state)
    for (const KindCounts& hand : hands) benchmark::DoNotOptimize(analysis(hand));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kHands));
  state.SetLabel(kWallNames[state.range(0)]);
}

void shanten_of_14(benchmark::State& state) {
  analyse(state, 14, [](const KindCounts& hand) { return shanten(hand, 0); });
}

void waits_of_13(benchmark::State& state) {
  analyse(state, 13, [](const KindCounts& hand) { return waits(hand); });
}

void is_complete_of_14(benchmark::State& state) {
  analyse(state, 14, [](const KindCounts& hand) { return is_complete(hand); });
}

void accepted_kinds_of_13(benchmark::State& state) {
  analyse(state, 13, [](const KindCounts& hand) { return accepted_kinds(hand, 0); });
}

void discard_options_of_14(benchmark::State& state) {
  analyse(state, 14, [](const KindCounts& hand) { return discard_options(hand, 0, hand); });
}

BENCHMARK(shanten_of_14)->DenseRange(0, 2);
BENCHMARK(waits_of_13)->DenseRange(0, 2);
BENCHMARK(is_complete_of_14)->DenseRange(0, 2);
BENCHMARK(accepted_kinds_of_13)->DenseRange(0, 2);
BENCHMARK(discard_options_of_14)->DenseRange(0, 2);

}  // namespace
}  // namespace ippatsu::mahjong
