// Values from nothing, and filling.

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

Results zero(Lowering& l) {
  const Value x = l.tensor("self");
  return fill_like(x, 0);
}

// The fillings that every program has, 0 and 1, are worth being known to the compiler.
Results fill(Lowering& l) {
  const Value x = l.tensor("self");
  if (l.raw("self").is_complex()) return l.scalar_like("value", x);
  if (l.is("value", 0)) return fill_like(x, 0);
  if (l.is("value", 1)) return fill_like(x, 1);
  return l.scalar_like("value", x);
}

Results fill_tensor(Lowering& l) {
  const Value x = l.tensor("self");
  return hlo::broadcast_to(l.operand("value", x.dtype()), x.dims());
}

constexpr OpRow kRows[] = {
    {"aten::zero", zero},
    {"aten::fill.Scalar", fill},
    {"aten::fill.Tensor", fill_tensor},
};

}  // namespace

std::span<const OpRow> creation_rows() { return kRows; }

}  // namespace ippatsu::ops
