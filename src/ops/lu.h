#pragma once

#include "ops/lowering.h"

namespace ippatsu::ops {

// P L U with partial pivoting, as LAPACK's getrf: both triangles in `factors`, and `pivots`, i32
// from 1 on, says which row each row was exchanged with. `info` is the place of the first pivot
// that is 0, counted from 1, or 0.
struct Lu {
  Value factors;
  Value pivots;  // [..., min(m, n)]
  Value info;    // i32[...]
};
Lu lu(Value a);

// The order that the exchanges bring `rows` rows into: row i of L U is row order[i] of the matrix.
Value row_order(Value pivots, int64_t rows);

}  // namespace ippatsu::ops
