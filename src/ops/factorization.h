#pragma once

// Factorizations of matrices (hlo/matrix.h) that several rows build on.

#include "hlo/matrix.h"
#include "ops/lowering.h"

namespace ippatsu::ops {

// An argument that must hold matrices of f32, f64 or complex numbers.
Value matrices(Lowering& l, std::string_view name);
Value square_matrices(Lowering& l, std::string_view name);

// Whether a factorization succeeded is known on the device alone: a call that is to raise where it
// did not goes to the host.
void leave_checks_to_host(Lowering& l);

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

// a = q r.
struct ReducedQr {
  Value q;  // [..., m, min(m, n)]
  Value r;  // [..., min(m, n), n]
};
ReducedQr reduced_qr(Value a);

// Q with `columns` columns, at most as many as rows.
Value orthogonal(const hlo::Qr& parts, int64_t columns);

}  // namespace ippatsu::ops
