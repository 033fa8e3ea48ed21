#pragma once

// The factorization of symmetric matrices that need not be positive definite: L D L^T with blocks
// of one or two columns in D (Bunch and Kaufman, "Some stable methods for calculating inertia and
// solving symmetric linear systems", 1977).

#include "ops/lowering.h"

namespace ippatsu::ops {

// As LAPACK's sytrf (hetrf) for the lower triangle: L and D in one matrix; `pivots`, i32 from 1 on,
// says which row each one was exchanged with, as a negative number, twice, for a block of two;
// `info` is the place of the first block that is 0, from 1 on, or 0.
struct BunchKaufman {
  Value factors;
  Value pivots;  // i32[..., n]
  Value info;    // i32[...]
};
BunchKaufman bunch_kaufman(Value a, bool hermitian);

// The x of a x = b; everything in one batch.
Value solve_bunch_kaufman(const BunchKaufman& parts, Value b, bool hermitian);

}  // namespace ippatsu::ops
