#pragma once

// Formulas that rows of several files share.

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

// log(exp x + exp y) without overflow. Of two equal infinities, that infinity.
inline Value log_add_exp(Value x, Value y) {
  const Value greater = maximum(x, y);
  const Value sum = greater + log1p(exp(-hlo::abs(x - y)));
  const Value equal_infinities =
      compare(hlo::Direction::Eq, x, y) & ~hlo::unary(hlo::Opcode::IsFinite, x);
  return select(equal_infinities, x, sum);
}

}  // namespace ippatsu::ops
