#pragma once

// The throughput sweep: training steps at growing batch sizes, this device beside eager PyTorch,
// measured in rounds that alternate between the two.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/chart.h"
#include "report/context.h"
#include "report/table.h"

namespace ippatsu::report {

// NaN throughout where nothing was measured.
struct Statistics {
  double median;
  double min;
  double max;
};

// Of the finite values; the median of an even number of them is the mean of the middle two.
Statistics statistics(std::vector<double> values);

// One device at one batch size. What was not measured is NaN.
struct Measurement {
  int64_t iterations = 0;      // timed steps in all rounds together
  std::vector<double> rounds;  // samples per second of each round
  double compile_seconds = Point::kNone;
  double final_loss = Point::kNone;

  Statistics samples_per_second() const { return statistics(rounds); }
};

struct BatchResult {
  int64_t batch;
  Measurement ours;
  Measurement eager;

  // Ours over eager: of the medians, with the least and the greatest ratio seen in any one round
  // (rounds alternate, so noise that lasts longer than a round hits both sides of a ratio).
  Statistics ratio() const;
};

struct SweepResult {
  Context context;
  std::vector<BatchResult> batches;  // in ascending order
};

// The JSON that google/benchmark writes (its docs/user_guide.md): a "context", and "benchmarks"
// named "train_step/ippatsu/batch:64" and "train_step/eager/batch:64" with "iterations",
// "real_time" (median milliseconds per step) and "samples_per_second" (median). Ours beside them:
// "device", "batch", "samples_per_second_min" and "_max", "rounds", "compile_seconds",
// "final_loss", and on our device's entries "ratio".
nlohmann::ordered_json to_json(const SweepResult& sweep);
nlohmann::ordered_json to_json(const Context& context);

void write_bench(const std::filesystem::path& path, const SweepResult& sweep);

// Reads what write_bench wrote. Fails with the path and what is wrong with it.
SweepResult read_bench(const std::filesystem::path& path);

Chart ratio_chart(const SweepResult& sweep);
Chart samples_chart(const SweepResult& sweep);
Table throughput_table(const SweepResult& sweep);

}  // namespace ippatsu::report
