// Whether memory stays flat: resident memory of the process after 100 and after 1,000 training
// steps on the device. On a CPU device that is where the device's memory is.

#include <fstream>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "device/ippatsu.h"
#include "mahjong/features.h"
#include "mahjong/tile.h"
#include "train/learner.h"

namespace ippatsu::train {

namespace {

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0, resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / 1e6;
}

data::Batch constant_batch(int64_t size) {
  const auto n = static_cast<size_t>(size);
  return {.size = size,
          .planes = std::vector<uint8_t>(n * mahjong::kPlanes * mahjong::kKinds, 1),
          .actions = mahjong::kTiles,
          .legal = std::vector<uint8_t>(n * mahjong::kTiles, 1),
          .action = std::vector<int64_t>(n, 3),
          .next = {}};
}

void BM_TrainingMemory(benchmark::State& state) {
  initialize();
  const torch::Device device("ippatsu");
  Learner learner({.config = models::naga_config("tiny"), .device = device, .dropout = 0.1});
  const data::Batch batch = constant_batch(64);
  int64_t step = 0;
  for (auto _ : state) {
    learner.step(batch, 1e-6);
    finish_step(device);
    ++step;
    if (step == 100 || step == 1000) {
      wait_for(device);
      state.counters[step == 100 ? "resident_MB_at_100" : "resident_MB_at_1000"] =
          resident_megabytes();
    }
  }
  state.counters["compiles"] = static_cast<double>(metrics().compiles);
}
BENCHMARK(BM_TrainingMemory)->Iterations(1000);

}  // namespace

}  // namespace ippatsu::train
