// Elementwise functions beyond everyday arithmetic: of logarithms, of signs and bits, of NaN.

#include <cmath>
#include <limits>
#include <numbers>

#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;
using hlo::Opcode;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Value equals(Value x, double number) { return compare(Direction::Eq, x, fill_like(x, number)); }

Value floating_self(Lowering& l) {
  return l.tensor("self", l.result_type({"self"}, Promotion::FloatIfInteger));
}

// Two operands in their common type, which must be floating.
Values floating_pair(Lowering& l) {
  Values xy = l.promoted({"self", "other"});
  if (!hlo::is_floating(xy[0].dtype()))
    fail("the operands must be floating, got {}", to_string(xy[0].type()));
  return xy;
}

// --- logarithms and exponentials, safe at the ends

// x * logarithm(y), and 0 where x is 0 whatever the logarithm, unless y is NaN.
template <Opcode logarithm>
Results x_log(Lowering& l) {
  const Values xy = l.promoted({"self", "other"}, Promotion::FloatIfInteger);
  return computed(xy[0], xy[1], [](Value x, Value y) {
    const Value product = select(equals(x, 0), fill_like(x, 0), x * hlo::unary(logarithm, y));
    return select(hlo::is_nan(y), y, product);
  });
}

Results logaddexp(Lowering& l) {
  const Values xy = floating_pair(l);
  return computed(xy[0], xy[1], log_add_exp);
}

// log2(2^x + 2^y) = log(exp(x ln 2) + exp(y ln 2)) / ln 2
Results logaddexp2(Lowering& l) {
  const Values xy = floating_pair(l);
  return computed(xy[0], xy[1], [](Value x, Value y) {
    return log_add_exp(x * std::numbers::ln2, y * std::numbers::ln2) * (1 / std::numbers::ln2);
  });
}

// log(x / (1 - x)); with eps, x is first drawn into [eps, 1 - eps].
Results logit(Lowering& l) {
  return computed(floating_self(l), [&](Value x) {
    if (l.has("eps")) {
      const double eps = l.constant("eps");
      x = minimum(maximum(x, fill_like(x, eps)), fill_like(x, 1 - eps));
    }
    return log(x / (1 - x));
  });
}

Results logit_backward(Lowering& l) {
  const double eps = l.has("eps") ? l.constant("eps") : 0, outside = l.has("eps") ? 0 : kNan;
  return computed(l.tensor("grad_output"), floating_tensor(l, "self"), [&](Value grad, Value x) {
    const Value inside = compare(Direction::Ge, x, fill_like(x, eps)) &
                         compare(Direction::Le, x, fill_like(x, 1 - eps));
    return select(inside, grad / (x * (1 - x)), fill_like(x, outside));
  });
}

// -x log x, and its limits: 0 at 0, -inf below.
Results entr(Lowering& l) {
  return computed(floating_self(l), [](Value x) {
    const Value inside = select(equals(x, 0), x, -x * log(x));
    return select(compare(Direction::Lt, x, fill_like(x, 0)), fill_like(x, -kInfinity), inside);
  });
}

Results sinc(Lowering& l) {
  return computed(floating_self(l), [](Value x) {
    const Value angle = x * std::numbers::pi;
    return select(equals(x, 0), fill_like(x, 1), hlo::unary(Opcode::Sine, angle) / angle);
  });
}

// sqrt(x^2 + y^2), scaled by the greater so that no square overflows. An infinity outdoes a NaN.
Results hypot(Lowering& l) {
  const Values xy = floating_pair(l);
  return computed(xy[0], xy[1], [](Value x, Value y) {
    const Value a = hlo::abs(x), b = hlo::abs(y);
    const Value greater = maximum(a, b), ratio = minimum(a, b) / greater;
    const Value length =
        select(equals(greater, 0), greater, greater * hlo::sqrt(1 + ratio * ratio));
    return select(equals(a, kInfinity) | equals(b, kInfinity), fill_like(x, kInfinity), length);
  });
}

// --- signs

DType signed_integer_of_width(DType dtype) {
  switch (hlo::byte_width(dtype)) {
    case 2:
      return DType::I16;
    case 4:
      return DType::I32;
    default:
      return DType::I64;
  }
}

// Whether the sign bit of a floating x is set: so it is for -0 and may be for NaN.
Value has_sign(Value x) {
  const Value bits = hlo::bitcast_convert(x, signed_integer_of_width(x.dtype()));
  return compare(Direction::Lt, bits, fill_like(bits, 0));
}

Results copysign(Lowering& l) {
  const Values xy = l.promoted({"self", "other"}, Promotion::FloatIfInteger);
  const Value magnitude = hlo::abs(xy[0]);
  return select(has_sign(xy[1]), -magnitude, magnitude);
}

Value nowhere(Value x) { return hlo::constant(x.graph(), {DType::Pred, x.dims()}, 0); }

Results signbit(Lowering& l) {
  const Value x = l.tensor("self");
  if (hlo::is_floating(x.dtype())) return has_sign(x);
  return x.dtype() == DType::Pred ? nowhere(x) : compare(Direction::Lt, x, fill_like(x, 0));
}

template <int sign>
Results is_infinity(Lowering& l) {
  const Value x = l.tensor("self");
  return hlo::is_floating(x.dtype()) ? equals(x, sign * kInfinity) : nowhere(x);
}

// 0 below 0, 1 above, the other operand in between.
Results heaviside(Lowering& l) {
  const Value x = l.tensor("self"), values = l.tensor("values");
  if (x.dtype() != values.dtype()) {
    fail("heaviside is not yet implemented for tensors with different dtypes, got {} and {}",
         hlo::name(x.dtype()), hlo::name(values.dtype()));
  }
  const Dims shape = hlo::broadcast_dims(x.dims(), values.dims());
  const Value wide = hlo::broadcast_to(x, shape), zero = fill_like(wide, 0);
  const Value above = hlo::convert(compare(Direction::Gt, wide, zero), x.dtype());
  return select(compare(Direction::Eq, wide, zero), hlo::broadcast_to(values, shape), above);
}

// --- NaN and infinities

// The greater (lesser) of two, or the one that is a number.
template <Opcode opcode>
Results number_extremum(Lowering& l) {
  const Values xy = l.promoted({"self", "other"});
  const Value x = xy[0], y = xy[1], both = hlo::binary(opcode, x, y);
  if (!hlo::is_floating(x.dtype())) return both;
  return select(hlo::is_nan(x), y, select(hlo::is_nan(y), x, both));
}

double greatest_finite(DType dtype) {
  switch (dtype) {
    case DType::F16:
      return 65504;
    case DType::BF16:
      return 0x1.fep127;
    case DType::F32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

Results nan_to_num(Lowering& l) {
  const Value x = l.tensor("self");
  if (!hlo::is_floating(x.dtype())) return x;
  const auto replace = [&](Value where, const char* name, double otherwise, Value rest) {
    const Value number = l.has(name) ? l.scalar_like(name, x) : fill_like(x, otherwise);
    return select(where, number, rest);
  };
  const double greatest = greatest_finite(x.dtype());
  const Value above = replace(equals(x, kInfinity), "posinf", greatest, x);
  const Value below = replace(equals(x, -kInfinity), "neginf", -greatest, above);
  return replace(hlo::is_nan(x), "nan", 0, below);
}

Results nextafter(Lowering& l) {
  const Values xy = floating_pair(l);
  return hlo::binary(Opcode::NextAfter, xy[0], xy[1]);
}

// --- bits

Values integers(Lowering& l) {
  Values xy = l.promoted({"self", "other"});
  if (!hlo::is_integer(xy[0].dtype()))
    fail("only integers can be shifted, got {}", to_string(xy[0].type()));
  return xy;
}

// By too many places, or by a negative number of them, a shift to the left leaves 0 and one to the
// right the sign: so HLO has it too.
Results shift_left(Lowering& l) {
  const Values xy = integers(l);
  return hlo::binary(Opcode::ShiftLeft, xy[0], xy[1]);
}

Results shift_right(Lowering& l) {
  const Values xy = integers(l);
  const bool is_unsigned = xy[0].dtype() >= DType::U8;
  return hlo::binary(is_unsigned ? Opcode::ShiftRightLogical : Opcode::ShiftRightArithmetic, xy[0],
                     xy[1]);
}

constexpr OpRow kRows[] = {
    {"aten::xlogy.Tensor", x_log<Opcode::Log>},
    {"aten::special_xlog1py", x_log<Opcode::LogPlusOne>},
    {"aten::logaddexp", logaddexp},
    {"aten::logaddexp2", logaddexp2},
    {"aten::logit", logit},
    {"aten::logit_backward", logit_backward},
    {"aten::special_entr", entr},
    {"aten::sinc", sinc},
    {"aten::hypot", hypot},
    {"aten::copysign.Tensor", copysign},
    {"aten::signbit", signbit},
    {"aten::isposinf", is_infinity<1>},
    {"aten::isneginf", is_infinity<-1>},
    {"aten::heaviside", heaviside},
    {"aten::fmax", number_extremum<Opcode::Maximum>},
    {"aten::fmin", number_extremum<Opcode::Minimum>},
    {"aten::nan_to_num", nan_to_num},
    {"aten::nextafter", nextafter},
    {"aten::bitwise_left_shift.Tensor", shift_left},
    {"aten::bitwise_right_shift.Tensor", shift_right},
};

}  // namespace

std::span<const OpRow> special_rows() { return kRows; }

}  // namespace ippatsu::ops
