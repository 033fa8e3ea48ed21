#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ippatsu::train {

double Schedule::at(int64_t step) const {
  if (step <= warmup_steps)
    return peak * static_cast<double>(step) / static_cast<double>(warmup_steps);
  const auto length = static_cast<double>(std::max<int64_t>(total_steps - warmup_steps, 1));
  const double done = std::min(static_cast<double>(step - warmup_steps) / length, 1.0);
  return peak * (floor + (1 - floor) * 0.5 * (1 + std::cos(std::numbers::pi * done)));
}

}  // namespace ippatsu::train
