// Values from nothing, and filling.

#include <cmath>

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

constexpr double kMostElements = 0x1p53;

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

// Numbers are counted in this type and then rounded to the tensor's own.
DType counting_type(DType dtype) {
  return dtype == DType::F16 || dtype == DType::BF16 ? DType::F32 : dtype;
}

// start, start + step, ... short of end.
Results arange(Lowering& l) {
  const double start = l.constant("start"), end = l.constant("end"), step = l.constant("step");
  const double count = std::ceil((end - start) / step);
  if (!(count >= 0 && count <= kMostElements))
    fail("arange from {} to {} by {} has no end, or too many elements", start, end, step);
  const DType dtype = l.type("out").dtype, wide = counting_type(dtype);
  const Value places = hlo::iota(l.graph(), {wide, {static_cast<int64_t>(count)}}, 0);
  return hlo::convert(l.scalar_like("start", places) + places * l.scalar_like("step", places),
                      dtype);
}

// `steps` numbers from start to end, counted from the nearer end, so that both are met exactly.
// Those for an integer tensor lie between integers.
Value evenly_spaced(Lowering& l, DType dtype) {
  const int64_t steps = l.integer("steps");
  if (steps < 0) fail("number of steps must be non-negative, got {}", steps);
  const DType wide = hlo::is_integer(dtype) ? DType::F64 : counting_type(dtype);
  const hlo::Type type{wide, {steps}};
  const auto end_point = [&](std::string_view name) {
    const Value number = l.scalar(name, hlo::is_integer(dtype) ? dtype : wide);
    return hlo::broadcast_to(hlo::convert(number, wide), type.dims);
  };
  const Value start = end_point("start"), end = end_point("end");
  if (steps <= 1) return start;
  const Value places =
      hlo::convert(hlo::iota(l.graph(), {hlo::real_part(wide), type.dims}, 0), wide);
  const auto last = static_cast<double>(steps - 1);
  const Value step = (end - start) / last, index = hlo::real(places);
  const Value near_start =
      compare(hlo::Direction::Lt, index, fill_like(index, static_cast<double>(steps / 2)));
  return select(near_start, start + step * places, end - step * (last - places));
}

Results linspace(Lowering& l) {
  const DType dtype = l.type("out").dtype;
  return hlo::convert(evenly_spaced(l, dtype), dtype);
}

Results logspace(Lowering& l) {
  const DType dtype = l.type("out").dtype;
  const Value exponents = evenly_spaced(l, dtype);
  return hlo::convert(power(l.scalar_like("base", exponents), exponents), dtype);
}

Value identity(Lowering& l, int64_t rows, int64_t columns) {
  if (rows < 0 || columns < 0)
    fail("the numbers of rows and columns must be 0 or more, got {} and {}", rows, columns);
  const hlo::Type places{DType::I64, {rows, columns}};
  const Value diagonal =
      compare(hlo::Direction::Eq, hlo::iota(l.graph(), places, 0), hlo::iota(l.graph(), places, 1));
  return hlo::convert(diagonal, l.type("out").dtype);
}

Results eye(Lowering& l) { return identity(l, l.integer("n"), l.integer("n")); }
Results eye_of_rows(Lowering& l) { return identity(l, l.integer("n"), l.integer("m")); }

constexpr OpRow kRows[] = {
    {"aten::arange.start_out", arange},
    {"aten::linspace.out", linspace},
    {"aten::logspace.out", logspace},
    {"aten::zero", zero},
    {"aten::fill.Scalar", fill},
    {"aten::fill.Tensor", fill_tensor},
    {"aten::eye.out", eye},
    {"aten::eye.m_out", eye_of_rows},
};

}  // namespace

std::span<const OpRow> creation_rows() { return kRows; }

}  // namespace ippatsu::ops
