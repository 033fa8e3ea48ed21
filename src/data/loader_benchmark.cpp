// How fast decisions become batches: by part, and through the loader as a training loop takes them.

#include <random>

#include <benchmark/benchmark.h>

#include "data/content_hash.h"
#include "data/loader.h"
#include "data/unpack.h"

namespace ippatsu::data {

namespace {

constexpr int64_t kDecisions = 200'000;  // 104 MB of rows: past the caches
constexpr int64_t kDecisionsAGame = 500;

struct RandomRows {
  RandomRows() : rows(kDecisions) {
    std::mt19937_64 random(1);
    for (Row& row : rows) {
      for (uint64_t& word : row.planes) word = random();
      row.action = random() % mahjong::kTiles;
      row.legal = {uint64_t{1} << row.action, 0};
    }
    for (int64_t i = 0; i < kDecisions; i += kDecisionsAGame)
      split.add_game(std::span(rows).subspan(i, kDecisionsAGame));
  }

  std::vector<Row> rows;
  Split split;
};

const RandomRows& random_rows() {
  static const RandomRows rows;
  return rows;
}

void hash_content(benchmark::State& state) {
  const std::vector<std::byte> bytes(1 << 20);
  for (auto _ : state) benchmark::DoNotOptimize(ContentHash().add(bytes).value());
  state.SetBytesProcessed(state.iterations() * bytes.size());
}
BENCHMARK(hash_content);

void look_up_permutation(benchmark::State& state) {
  const Permutation permutation(state.range(0), 1, 0);
  int64_t position = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(permutation[position]);
    position = position + 1 == permutation.size() ? 0 : position + 1;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(look_up_permutation)->Arg(120'000)->Arg(100'000'000);

void unpack_row(benchmark::State& state) {
  const Row& row = random_rows().rows[0];
  std::vector<uint8_t> bytes(mahjong::kFeatureBits);
  for (auto _ : state) {
    unpack_bits(row.planes, bytes);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(unpack_row);

void make_batches(benchmark::State& state) {
  BatchMaker maker(random_rows().split, {.batch_size = state.range(0)});
  Batch batch;
  int64_t decisions = 0;
  for (auto _ : state) {
    maker.make(batch);
    decisions += batch.size;
  }
  state.SetItemsProcessed(decisions);
}
BENCHMARK(make_batches)->RangeMultiplier(8)->Range(1, 4096);

void load_batches(benchmark::State& state) {
  Loader loader(random_rows().split, {.batch_size = state.range(0)});
  Batch batch;
  int64_t decisions = 0;
  for (auto _ : state) {
    loader.next(batch);
    decisions += batch.size;
  }
  state.SetItemsProcessed(decisions);
}
BENCHMARK(load_batches)->RangeMultiplier(8)->Range(1, 4096)->UseRealTime();

}  // namespace

}  // namespace ippatsu::data
