// Functions beyond everyday arithmetic: of logarithms, of the normal distribution, of signs and
// bits, of NaN.

#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "ops/chebyshev.h"
#include "ops/comparisons.h"
#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;
using hlo::Opcode;

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
  const Values xy = l.promoted({"self", "other"});
  if (!hlo::is_floating(xy[0].dtype()) && !hlo::is_complex(xy[0].dtype()))
    fail("the operands must be floating or complex, got {}", to_string(xy[0].type()));
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
      x = hlo::bounded(x, fill_like(x, eps), fill_like(x, 1 - eps));
    }
    return log(x / (1 - x));
  });
}

Results logit_backward(Lowering& l) {
  const double eps = l.has("eps") ? l.constant("eps") : 0, outside = l.has("eps") ? 0 : kNan;
  return computed(l.tensor("grad_output"), floating_tensor(l, "self"), [&](Value grad, Value x) {
    const Value inside = at_least(x, eps) & at_most(x, 1 - eps);
    return select(inside, grad / (x * (1 - x)), fill_like(x, outside));
  });
}

// -x log x, and its limits: 0 at 0, -inf below.
Results entr(Lowering& l) {
  return computed(floating_self(l), [](Value x) {
    const Value inside = select(equals(x, 0), x, -x * log(x));
    return select(less(x, 0), fill_like(x, -kInfinity), inside);
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

// --- the normal distribution

// e^(x^2) erfc(x), by way of a series of (1 + 2 |x|) times it in (|x| - k) / (|x| + k) (Shepherd
// and Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < inf", 1981).
constexpr Real kErfcxCentre = 3.75;

Real scaled_erfc(Real x) {
  if (x < 20) return std::exp(x * x) * std::erfc(x);
  Real tail = 0;  // the continued fraction (DLMF 7.9.1), from within
  for (int k = 60; k > 0; --k) tail = k / 2.0L / (x + tail);
  return 1 / (std::sqrt(std::numbers::pi_v<Real>) * (x + tail));
}

Value erfcx(Value x) {
  static const ChebyshevSeries series(
      [](Real t) {
        const Real r = kErfcxCentre * (1 + t) / (1 - t);
        return (1 + 2 * r) * scaled_erfc(r);
      },
      -1, 1);
  const Value r = hlo::abs(x);
  const Value place = 1 - 2 * double{kErfcxCentre} / (r + double{kErfcxCentre});
  const Value right = series(place) / (1 + r * 2);
  return select(less(x, 0), 2 * exp(x * x) - right, right);
}

Results erfcx_row(Lowering& l) { return computed(floating_self(l), erfcx); }

// The logarithm of the normal distribution's function, from its tail below x = 0.
Value log_lower_tail(Value x) {
  return log(erfcx(x * (-1 / std::numbers::sqrt2)) * 0.5) - x * x * 0.5;
}

Results log_ndtr(Lowering& l) {
  return computed(floating_self(l), [](Value x) {
    const Value upper = hlo::unary(Opcode::Erfc, x * (1 / std::numbers::sqrt2)) * 0.5;
    const Value tail = select(equals(x, -kInfinity), x, log_lower_tail(x));
    return select(less(x, -1), tail, log1p(-upper));
  });
}

// The normal distribution's quantile, below 0 by Newton's method on the logarithm of its function.
// The start lies below the quantile, since that function is at most e^(-z^2 / 2) / 2, and the
// logarithm is concave, so that no step goes too far.
Value lower_quantile(Value p) {
  constexpr int64_t kSteps = 6;
  const Value log_p = log(p), start = -hlo::sqrt((log_p + std::numbers::ln2) * -2);
  const auto step = [](Value, std::span<const Value> s) -> Values {
    const Value inverse_slope =
        erfcx(s[0] * (-1 / std::numbers::sqrt2)) * std::sqrt(std::numbers::pi / 2);
    return {s[0] - (log_lower_tail(s[0]) - s[1]) * inverse_slope, s[1]};
  };
  return hlo::repeat(kSteps, {start, log_p}, step)[0];
}

Results ndtri(Lowering& l) {
  return computed(floating_self(l), [](Value p) {
    const Value half = fill_like(p, 0.5), is_low = at_most(p, half);
    const Value lower = lower_quantile(minimum(select(is_low, p, 1 - p), half));
    const Value inside = select(is_low, lower, -lower);
    return select(equals(p, 0), fill_like(p, -kInfinity),
                  select(equals(p, 1), fill_like(p, kInfinity), inside));
  });
}

// --- rounding

// To `decimals` places behind the point; to tens, hundreds ... for negative ones.
Results round_decimals(Lowering& l) {
  const Value self = floating_tensor(l, "self");
  const int64_t decimals = l.integer("decimals");
  const auto round = [](Value x) { return hlo::unary(Opcode::RoundNearestEven, x); };
  return computed(self, [&](Value x) {
    const double power = std::pow(10.0, std::abs(static_cast<double>(decimals)));
    const Value scale = fill_like(x, power > greatest_finite(x.dtype()) ? kInfinity : power);
    return decimals < 0 ? round(x / scale) * scale : round(x * scale) / scale;
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
  return less(bits, 0);
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
  return x.dtype() == DType::Pred ? nowhere(x) : less(x, 0);
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
  const Value above = hlo::convert(greater(wide, zero), x.dtype());
  return select(equals(wide, zero), hlo::broadcast_to(values, shape), above);
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

// How the bits of an IEEE number are laid out.
struct Layout {
  DType bits;
  int mantissa, exponent_bias;
};
Layout layout_of(DType dtype) {
  return dtype == DType::F64 ? Layout{DType::I64, 52, 1023} : Layout{DType::I32, 23, 127};
}

Value number_like(Value bits, int64_t number) {
  return hlo::constant(bits.graph(), bits.type(), number);
}

// The exponent's bits and the mantissa's. Those of a subnormal number, which may begin with zeros,
// are moved up as if there were exponents below the least: so the leading bit is always the hidden
// one.
struct Normalized {
  Value exponent, mantissa;
};
Normalized normalized(Value bits, const Layout& layout) {
  const int64_t above = hlo::byte_width(layout.bits) * 8 - 1 - layout.mantissa;
  const Value moved_down =
      hlo::binary(Opcode::ShiftRightLogical, bits, number_like(bits, layout.mantissa));
  const Value exponent = moved_down & number_like(bits, (int64_t{1} << above) - 1);
  const Value mantissa = bits & number_like(bits, (int64_t{1} << layout.mantissa) - 1);
  const Value places = hlo::unary(Opcode::CountLeadingZeros, mantissa) - number_like(bits, above);
  const Value subnormal = compare(Direction::Eq, exponent, number_like(bits, 0));
  return {select(subnormal, number_like(bits, 1) - places, exponent),
          select(subnormal, hlo::binary(Opcode::ShiftLeft, mantissa, places), mantissa)};
}

// x = mantissa * 2^exponent with a mantissa of [1/2, 1). By the bits, since an arithmetic that
// flushes subnormal numbers could not tell them from zero.
Results frexp(Lowering& l) {
  const Value self = floating_tensor(l, "self"), x = to_compute_type(self);
  const Layout layout = layout_of(x.dtype());
  const Value bits = hlo::bitcast_convert(x, layout.bits);
  const auto [exponent, mantissa] = normalized(bits, layout);
  const int64_t of_half = layout.exponent_bias - 1;
  const Value fraction = (bits & hlo::lowest(l.graph(), bits.type())) |
                         (mantissa & number_like(bits, (int64_t{1} << layout.mantissa) - 1)) |
                         number_like(bits, of_half << layout.mantissa);
  const Value zero = number_like(bits, 0), magnitude = bits & hlo::highest(l.graph(), bits.type());
  const Value as_it_is = equals(magnitude, zero) | ~hlo::unary(Opcode::IsFinite, x);
  const Value power = select(as_it_is, zero, exponent - number_like(bits, of_half));
  return {
      hlo::convert(select(as_it_is, x, hlo::bitcast_convert(fraction, x.dtype())), self.dtype()),
      hlo::convert(power, DType::I32)};
}

Values integers(Lowering& l) {
  Values xy = l.promoted({"self", "other"});
  if (!hlo::is_integer(xy[0].dtype()))
    fail("the operands must be integers, got {}", to_string(xy[0].type()));
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

// --- divisors

// Euclid's algorithm; the result may have either sign.
Value common_divisor(Value x, Value y) {
  const auto nonzero = [](Value z) { return compare(Direction::Ne, z, fill_like(z, 0)); };
  const auto condition = [&](std::span<const Value> s) -> Values {
    return {hlo::reduce_or(nonzero(s[1]), all_dims(s[1]))};
  };
  const auto step = [&](std::span<const Value> s) -> Values {
    const Value goes_on = nonzero(s[1]);
    const Value rest = remainder(s[0], select(goes_on, s[1], fill_like(s[1], 1)));
    return {select(goes_on, s[1], s[0]), rest};
  };
  return hlo::while_loop({x, y}, condition, step)[0];
}

Value magnitude(Value x) { return x.dtype() >= DType::U8 ? x : hlo::abs(x); }

Results gcd(Lowering& l) {
  const Values xy = integers(l);
  return magnitude(common_divisor(xy[0], xy[1]));
}

Results lcm(Lowering& l) {
  const Values xy = integers(l);
  const Value divisor = common_divisor(xy[0], xy[1]), zero = fill_like(divisor, 0);
  const Value none = equals(divisor, zero);
  const Value multiple = xy[0] / select(none, fill_like(divisor, 1), divisor) * xy[1];
  return select(none, zero, magnitude(multiple));
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
    {"aten::special_erfcx", erfcx_row},
    {"aten::special_log_ndtr", log_ndtr},
    {"aten::special_ndtri", ndtri},
    {"aten::round.decimals", round_decimals},
    {"aten::frexp.Tensor", frexp},
    {"aten::gcd", gcd},
    {"aten::lcm", lcm},
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
