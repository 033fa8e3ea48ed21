// What an op costs on the host: recording alone, and a whole cached one-op program.

#include <torch/torch.h>

#include <benchmark/benchmark.h>

#include "device/ippatsu.h"

namespace ippatsu {

namespace {

torch::Tensor device_ones(torch::IntArrayRef shape) {
  initialize();
  return torch::ones(shape, torch::Device("ippatsu"));
}

// Records `op` kOps times, fewer than a trace lets follow one upon the other, then begins anew.
template <typename Op>
void record(benchmark::State& state, Op op) {
  constexpr int kOps = 200;
  const torch::Tensor x = device_ones({8, 8});
  sync();
  for (auto _ : state) {
    for (int i = 0; i < kOps; ++i) benchmark::DoNotOptimize(op(x));
    state.PauseTiming();
    torch::Tensor(x + 1).add_(1);
    sync();  // a fresh graph
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kOps);
}

void BM_RecordAddScalar(benchmark::State& state) {
  record(state, [](const torch::Tensor& x) { return x + 1.5; });
}
void BM_RecordAddTensor(benchmark::State& state) {
  record(state, [](const torch::Tensor& x) { return x + x; });
}
void BM_RecordMulInPlace(benchmark::State& state) {
  record(state, [](torch::Tensor x) { return x.mul_(0.9); });
}
void BM_RecordMatmul(benchmark::State& state) {
  record(state, [](const torch::Tensor& x) { return torch::mm(x, x.t()); });
}
void BM_RecordGelu(benchmark::State& state) {
  record(state, [](const torch::Tensor& x) { return torch::gelu(x); });
}
void BM_RecordAddcdivInPlace(benchmark::State& state) {
  record(state, [](torch::Tensor x) { return x.addcdiv_(x, x, 0.1); });
}

// From the call to the end of a sync that finds its program.
void BM_OneOpProgram(benchmark::State& state) {
  torch::Tensor x = device_ones({8, 8});
  for (auto _ : state) {
    x.add_(1.5);
    sync();
  }
  wait();
}

BENCHMARK(BM_RecordAddScalar);
BENCHMARK(BM_RecordAddTensor);
BENCHMARK(BM_RecordMulInPlace);
BENCHMARK(BM_RecordMatmul);
BENCHMARK(BM_RecordGelu);
BENCHMARK(BM_RecordAddcdivInPlace);
BENCHMARK(BM_OneOpProgram);

}  // namespace

}  // namespace ippatsu
