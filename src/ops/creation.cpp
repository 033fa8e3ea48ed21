// Values from nothing, and filling.

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

Results zero(Lowering& l) { return hlo::constant(l.graph(), l.type("self"), 0); }

// The fillings that every program has, 0 and 1, are worth being known to the compiler.
Results fill(Lowering& l) {
  const hlo::Type type = l.type("self");
  if (l.is("value", 0)) return hlo::constant(l.graph(), type, 0);
  if (l.is("value", 1)) return hlo::constant(l.graph(), type, 1);
  return hlo::broadcast_to(l.scalar("value", type.dtype), type.dims);
}

Results fill_tensor(Lowering& l) {
  const hlo::Type type = l.type("self");
  if (l.type("value").rank() != 0)
    fail("fill wants a 0-dimensional value, got {}", to_string(l.type("value")));
  return hlo::broadcast_to(l.operand("value", type.dtype), type.dims);
}

constexpr OpRow kRows[] = {
    {"aten::zero", zero},
    {"aten::fill.Scalar", fill},
    {"aten::fill.Tensor", fill_tensor},
};

}  // namespace

std::span<const OpRow> creation_rows() { return kRows; }

}  // namespace ippatsu::ops
