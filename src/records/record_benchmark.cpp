// How fast records are read, replayed and encoded. Runs from the repository's root.

#include <array>

#include <benchmark/benchmark.h>

#include "base/file.h"
#include "mahjong/features.h"
#include "records/read_record.h"

namespace ippatsu::mahjong {
namespace {

constexpr std::array<const char*, 3> kFiles = {"tests/records/open-kan.mjlog",
                                               "tests/records/open-kan.json",
                                               "tests/records/open-kan.mjai.jsonl"};

void read(benchmark::State& state) {
  const char* path = kFiles[state.range(0)];
  const std::string text = read_file(path);
  for (auto _ : state) benchmark::DoNotOptimize(read_record_text(text, path));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
  state.SetLabel(path);
}

void read_and_replay(benchmark::State& state) {
  const char* path = kFiles[state.range(0)];
  const std::string text = read_file(path);
  for (auto _ : state) check(read_record_text(text, path));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
  state.SetLabel(path);
}

void replay_and_encode(benchmark::State& state) {
  const Record record = read_record(kFiles[0]);
  std::array<uint64_t, kFeatureWords> bits;
  int64_t decisions = 0;
  for (auto _ : state) {
    Replayer replayer(record);
    for (; const Decision* decision = replayer.next(); ++decisions) {
      encode(decision->view, bits);
      benchmark::DoNotOptimize(bits);
    }
  }
  state.SetItemsProcessed(decisions);
  state.SetLabel("items are decisions");
}

BENCHMARK(read)->DenseRange(0, 2);
BENCHMARK(read_and_replay)->DenseRange(0, 2);
BENCHMARK(replay_and_encode);

}  // namespace
}  // namespace ippatsu::mahjong
