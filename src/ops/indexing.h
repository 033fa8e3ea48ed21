#pragma once

// Elements chosen along one dim, as other files' formulas need them.

#include "ops/lowering.h"

namespace ippatsu::ops {

// result[.., i, ..] = x[.., index[.., i, ..], ..]. `index` is an i64 of x's rank, no larger than x
// in its other dims; positions out of range read the nearest element.
Value gather_along(Value x, Value index, int64_t dim);

// A rank-0 tensor counts as one of a single element.
inline Value at_least_1d(Value x) { return x.rank() == 0 ? hlo::reshape(x, {1}) : x; }

}  // namespace ippatsu::ops
