#pragma once

// What is wrong with the steps: one finding for each thing at each place, troubles first.

#include <vector>

#include "check/report.h"
#include "trace/journal.h"

namespace ippatsu::check {

// After so many steps everything should be compiled: what the first one makes, the second takes as
// its inputs.
inline constexpr size_t kWarmUpSteps = 2;

std::vector<Finding> find_troubles(const std::vector<trace::Journal>& steps,
                                   const std::vector<Output>& outputs, double tolerance);

}  // namespace ippatsu::check
