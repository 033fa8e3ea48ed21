#pragma once

// Formulas that rows of several files share.

#include <cmath>

#include "base/error.h"
#include "ops/lowering.h"

namespace ippatsu::ops {

// A formula of f32 or wider, rounded back to the (first) operand's type once.
template <typename Formula>
Value computed(Value x, Formula formula) {
  return hlo::convert(formula(to_compute_type(x)), x.dtype());
}

template <typename Formula>
Value computed(Value x, Value y, Formula formula) {
  return hlo::convert(formula(to_compute_type(x), to_compute_type(y)), x.dtype());
}

// A tensor argument that must hold floating-point numbers.
inline Value floating_tensor(Lowering& l, std::string_view name) {
  const Value x = l.tensor(name);
  if (!hlo::is_floating(x.dtype())) {
    fail("`{}` must hold floating-point numbers, got {}", name, to_string(x.type()));
  }
  return x;
}

// ATen's rule for what sums and products are made in: the `dtype` asked for; else i64 for integers.
inline DType sum_type(Lowering& l, Value x) {
  const auto wanted = l.dtype("dtype");
  if (wanted) return *wanted;
  return hlo::is_integer(x.dtype()) || x.dtype() == DType::Pred ? DType::I64 : x.dtype();
}

// log(exp x + exp y) without overflow. Of two equal infinities, that infinity. Complex numbers are
// compared by their real parts.
inline Value log_add_exp(Value x, Value y) {
  const Value a = hlo::real(x), b = hlo::real(y);
  const Value equal_infinities =
      compare(hlo::Direction::Eq, a, b) & ~hlo::unary(hlo::Opcode::IsFinite, a);
  if (!hlo::is_complex(x.dtype()))
    return select(equal_infinities, x, maximum(x, y) + log1p(exp(-hlo::abs(x - y))));
  const Value first_is_greater = compare(hlo::Direction::Gt, a, b);
  const Value greater = select(first_is_greater, x, y), lesser = select(first_is_greater, y, x);
  return select(equal_infinities, greater, greater + log1p(exp(lesser - greater)));
}

// The p-norm over `dims` of numbers that are not negative. Of 0: how many are not zero.
inline Value p_norm(Value magnitude, const Dims& dims, double p) {
  if (std::isinf(p)) return p > 0 ? reduce_max(magnitude, dims) : reduce_min(magnitude, dims);
  if (p == 0) {
    const Value counted = compare(hlo::Direction::Ne, magnitude, fill_like(magnitude, 0));
    return reduce_sum(hlo::convert(counted, magnitude.dtype()), dims);
  }
  if (p == 1) return reduce_sum(magnitude, dims);
  if (p == 2) return hlo::sqrt(reduce_sum(magnitude * magnitude, dims));
  const Value powers = reduce_sum(power(magnitude, fill_like(magnitude, p)), dims);
  return power(powers, fill_like(powers, 1 / p));
}

}  // namespace ippatsu::ops
