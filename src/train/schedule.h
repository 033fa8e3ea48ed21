#pragma once

#include <cstdint>

namespace ippatsu::train {

// Linear warm-up, then half a cosine down to `floor` times the peak (Loshchilov and Hutter, "SGDR",
// 2017, without restarts).
struct Schedule {
  double peak = 3e-4;
  int64_t warmup_steps = 0;
  int64_t total_steps = 1;
  double floor = 0.1;

  // The learning rate of step `step`, 1 being the first.
  double at(int64_t step) const;
};

}  // namespace ippatsu::train
