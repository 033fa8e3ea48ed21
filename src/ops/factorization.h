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

// a = q r.
struct ReducedQr {
  Value q;  // [..., m, min(m, n)]
  Value r;  // [..., min(m, n), n]
};
ReducedQr reduced_qr(Value a);

// Q with `columns` columns, at most as many as rows.
Value orthogonal(const hlo::Qr& parts, int64_t columns);

}  // namespace ippatsu::ops
