#pragma once

// Running sums and extrema along a dim, as other files' formulas need them.

#include "ops/lowering.h"

namespace ippatsu::ops {

Value running_sum(Value x, int64_t dim);
Value running_max(Value x, int64_t dim);

}  // namespace ippatsu::ops
