#pragma once

// The throughput sweep: forward, backward and update without data IO at growing batch sizes, this
// device against eager PyTorch, each in a process of its own.

#include <cstdint>
#include <string>

#include "report/throughput.h"

namespace ippatsu::cli {

struct SweepOptions {
  std::string config = "small";
  std::string plugin;
  int64_t max_batch = 2048;    // batches are 1, 2, 4 ... up to this
  int rounds = 5;              // of each device at each batch, in turn
  double round_seconds = 0.6;  // about, of the slower device
};

// Fails if the options make no sense or a worker fails.
report::SweepResult run_sweep(const SweepOptions& options);

// The greatest relative difference between the two devices' final losses, over all batch sizes.
double largest_loss_difference(const report::SweepResult& sweep);

}  // namespace ippatsu::cli
