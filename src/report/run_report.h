#pragma once

// What a whole run leaves behind: result.json for programs, report.html and a short table for
// people.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "report/json_log.h"
#include "report/throughput.h"

namespace ippatsu::report {

// The run in a few numbers. What was not measured is NaN.
struct RunResult {
  Context context;
  int64_t games = 0;
  int64_t decisions = 0;
  int64_t steps = 0;
  double loss_first = Point::kNone;
  double loss_last = Point::kNone;
  double eager_loss_last = Point::kNone;
  double samples_per_second = Point::kNone;
  double eager_samples_per_second = Point::kNone;

  double ratio() const { return samples_per_second / eager_samples_per_second; }
};

// Training on one device, step by step; what a run did not log stays empty.
struct TrainingCurves {
  std::vector<StepValue> loss;
  std::vector<StepValue> evaluation_loss;
  std::vector<StepValue> top1;  // share of decisions guessed right, 0..1
};

struct RunReport {
  std::string model;  // as people call it, e.g. "NAGA small, 22.4 million parameters"
  RunResult result;
  SweepResult sweep;
  TrainingCurves ours;
  TrainingCurves eager;
};

// One JSON object: "games", "decisions", "steps", "loss_first", "loss_last", "eager_loss_last",
// "samples_per_second", "eager_samples_per_second", "ratio" and "context"; NaN is null.
void write_result(const std::filesystem::path& path, const RunResult& result);

// The report as one HTML page that needs nothing but itself.
void write_run_report(const std::filesystem::path& path, const RunReport& report);

// The end of a run in the terminal: the sweep's table, then the losses.
std::string run_summary(const RunReport& report);

}  // namespace ippatsu::report
