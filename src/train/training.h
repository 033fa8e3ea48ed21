#pragma once

// A whole training run: data, steps, evaluation, logs, checkpoints, and going on where it stopped.
//
// The folder `out` holds log.jsonl (a line per step), TensorBoard's event files,
// checkpoint.safetensors (the newest) and, at the end, summary.json.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "train/learner.h"
#include "train/schedule.h"

namespace ippatsu::train {

struct TrainingOptions {
  std::vector<std::filesystem::path> records;  // files and folders
  std::filesystem::path cache;                 // of encoded decisions; empty: `out`/cache
  std::filesystem::path out;
  LearnerOptions learner;
  Schedule schedule;  // total_steps is the length of the run
  int64_t batch_size = 256;
  double eval_fraction = 0.05;                   // of the games
  int64_t eval_every = 0;                        // steps; 0: at the end only
  int64_t eval_batches = 20;                     // at most, each time
  int64_t checkpoint_every = 0;                  // steps; 0: at the end only
  bool resume = false;                           // from out/checkpoint.safetensors
  std::function<void(int64_t step)> after_step;  // called when a step has been taken, if set
};

struct TrainingResult {
  std::string model;
  int64_t parameters = 0;
  int64_t games = 0;
  int64_t decisions = 0;
  int64_t steps = 0;
  std::vector<double> losses;     // of the steps taken in this run
  double samples_per_second = 0;  // median over the steps after the first two
};

// Fails with one sentence where the options make no sense, no record can be read, or the checkpoint
// does not fit. A file in `out` is replaced only by a run that got as far as its first step.
TrainingResult train_naga(const TrainingOptions& options);

}  // namespace ippatsu::train
