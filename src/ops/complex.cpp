// Operators that make complex numbers, and take them apart.

#include <numbers>

#include "base/error.h"
#include "hlo/matrix.h"
#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// Two real tensors of one type, in a common shape.
Values parts(Lowering& l, std::string_view first, std::string_view second) {
  const Value x = l.tensor(first), y = l.tensor(second);
  const bool fits = x.dtype() == y.dtype() && (x.dtype() == DType::F32 || x.dtype() == DType::F64);
  if (!fits)
    fail("`{}` and `{}` must both hold f32 or both f64, got {} and {}", first, second,
         to_string(x.type()), to_string(y.type()));
  const Dims shape = hlo::broadcast_dims(x.dims(), y.dims());
  return {hlo::broadcast_to(x, shape), hlo::broadcast_to(y, shape)};
}

Results complex(Lowering& l) {
  const Values xy = parts(l, "real", "imag");
  return hlo::complex(xy[0], xy[1]);
}

Results polar(Lowering& l) {
  const Values xy = parts(l, "abs", "angle");
  return hlo::complex(xy[0] * hlo::unary(hlo::Opcode::Cosine, xy[1]),
                      xy[0] * hlo::unary(hlo::Opcode::Sine, xy[1]));
}

// Of a real number: pi if it is negative; NaN stays NaN.
Results angle(Lowering& l) {
  const Value x = l.tensor("self", l.result_type({"self"}, Promotion::FloatIfInteger));
  if (hlo::is_complex(x.dtype()))
    return hlo::binary(hlo::Opcode::Atan2, hlo::imag(x), hlo::real(x));
  const Value negative = compare(Direction::Lt, x, fill_like(x, 0));
  const Value turned = hlo::only(negative, fill_like(x, std::numbers::pi));
  return select(hlo::is_nan(x), x, turned);
}

Results conj_physical(Lowering& l) { return hlo::conjugate(l.tensor("self")); }

constexpr OpRow kRows[] = {
    {"aten::complex", complex},
    {"aten::polar", polar},
    {"aten::angle", angle},
    {"aten::_conj_physical", conj_physical},
    {"aten::conj_physical_", conj_physical},
    {"aten::conj_physical.out", conj_physical},
};

}  // namespace

std::span<const OpRow> complex_rows() { return kRows; }

}  // namespace ippatsu::ops
