// How fast records are read, checked, written, replayed and encoded. Runs from the repository's
// root.

#include <array>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/file.h"
#include "mahjong/features.h"
#include "records/check_record.h"
#include "records/read_record.h"
#include "records/replay.h"
#include "records/write_record.h"

namespace ippatsu::mahjong {
namespace {

constexpr std::array<const char*, 3> kFiles = {"tests/records/open-kan.mjlog",
                                               "tests/records/open-kan.json",
                                               "tests/records/open-kan.mjai.jsonl"};

constexpr int kGames = 8;

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

// Whole hanchan, unpacked.
std::vector<std::string> hanchan() {
  std::vector<std::string> texts;
  for (int i = 1; i <= kGames; ++i)
    texts.push_back(read_file(fmt::format("examples/records/game-{:04}.mjai.gz", i)));
  return texts;
}

void read_and_check(benchmark::State& state) {
  const std::vector<std::string> texts = hanchan();
  for (auto _ : state)
    for (const std::string& text : texts)
      benchmark::DoNotOptimize(check_record(read_record_text(text, "hanchan")));
  state.SetItemsProcessed(state.iterations() * kGames);
  state.SetLabel("items are hanchan, mjai");
}

// The rounds at hand in Tenhou's own log.
void read_and_check_mjlog(benchmark::State& state) {
  const std::string text = read_file(kFiles[0]);
  for (auto _ : state) benchmark::DoNotOptimize(check_record(read_record_text(text, "round")));
  state.SetItemsProcessed(state.iterations());
  state.SetLabel("items are rounds, mjlog");
}

template <std::string (*write)(const Record&)>
void write_hanchan(benchmark::State& state) {
  std::vector<Record> records;
  for (const std::string& text : hanchan()) records.push_back(read_record_text(text, "hanchan"));
  for (auto _ : state)
    for (const Record& record : records) benchmark::DoNotOptimize(write(record));
  state.SetItemsProcessed(state.iterations() * kGames);
  state.SetLabel("items are hanchan");
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
BENCHMARK(read_and_check);
BENCHMARK(read_and_check_mjlog);
BENCHMARK(write_hanchan<write_mjai>)->Name("write_mjai");
BENCHMARK(write_hanchan<write_tenhou_json>)->Name("write_tenhou_json");
BENCHMARK(replay_and_encode);

}  // namespace
}  // namespace ippatsu::mahjong
