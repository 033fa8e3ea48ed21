#pragma once

// Sorting and searching, as other files' formulas need them.

#include "ops/lowering.h"

namespace ippatsu::ops {

struct Sorted {
  Value values;
  Value positions;  // i64: where they stood
};
// Stably, NaN as the greatest.
Sorted sorted(Value x, int64_t dim, bool descending = false);

// For each of `values` [.., m] the number of elements of the sorted `boundaries` [.., n] that are
// less (`right`: or equal), which is where it could be inserted. The other dims agree.
Value insertion_points(Value boundaries, Value values, bool right);

}  // namespace ippatsu::ops
