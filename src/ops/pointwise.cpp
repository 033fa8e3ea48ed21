// Elementwise operators: each element of the result depends on the elements at its own place.

#include <cmath>
#include <numbers>
#include <span>

#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;
using hlo::Opcode;

// --- one operand

// The operator as one HLO operation; integers become floats first.
template <Opcode opcode>
Results floating(Lowering& l) {
  return hlo::unary(opcode, l.tensor("self", l.result_type({"self"}, Promotion::FloatIfInteger)));
}

// As one HLO operation that keeps the type.
template <Opcode opcode>
Results same_type(Lowering& l) {
  return hlo::unary(opcode, l.tensor("self"));
}

bool is_whole(DType dtype) { return hlo::is_integer(dtype) || dtype == DType::Pred; }

// Rounding leaves integers as they are.
template <Opcode opcode>
Results rounding(Lowering& l) {
  const Value x = l.tensor("self");
  return is_whole(x.dtype()) ? x : hlo::unary(opcode, x);
}

Value floating_self(Lowering& l) {
  return l.tensor("self", l.result_type({"self"}, Promotion::FloatIfInteger));
}

Results neg(Lowering& l) {
  const Value x = l.tensor("self");
  if (x.dtype() == DType::Pred) fail("negation of a bool tensor is not defined; use logical_not");
  return -x;
}

// At 0 the pole's sign is that of -x, which the HLO operation does not see.
Results digamma(Lowering& l) {
  const Value x = floating_self(l), at_pole = compare(Direction::Eq, x, fill_like(x, 0));
  return select(at_pole, -1.0 / x, hlo::unary(Opcode::Digamma, x));
}

Results reciprocal(Lowering& l) { return 1.0 / floating_self(l); }

Results log2(Lowering& l) {
  return computed(floating_self(l), [](Value x) { return log(x) * (1 / std::numbers::ln2); });
}

Results log10(Lowering& l) {
  return computed(floating_self(l), [](Value x) { return log(x) * (1 / std::numbers::ln10); });
}

Results exp2(Lowering& l) {
  return computed(floating_self(l), [](Value x) { return power(fill_like(x, 2), x); });
}

Results trunc(Lowering& l) {
  const Value x = l.tensor("self");
  if (is_whole(x.dtype())) return x;
  return select(compare(Direction::Lt, x, fill_like(x, 0)), hlo::unary(Opcode::Ceil, x), floor(x));
}

Results frac(Lowering& l) {
  const Value x = l.tensor("self");
  const Value whole =
      select(compare(Direction::Lt, x, fill_like(x, 0)), hlo::unary(Opcode::Ceil, x), floor(x));
  return x - whole;
}

bool is_unsigned(DType dtype) {
  return dtype == DType::Pred || (dtype >= DType::U8 && dtype <= DType::U64);
}

Results sgn(Lowering& l) {
  const Value x = l.tensor("self");
  // HLO's sign keeps NaN; ATen's is 0 there.
  if (hlo::is_floating(x.dtype())) return select(hlo::is_nan(x), fill_like(x, 0), hlo::sign(x));
  if (is_unsigned(x.dtype())) return hlo::convert(hlo::convert(x, DType::Pred), x.dtype());
  return hlo::sign(x);
}

Results abs(Lowering& l) {
  const Value x = l.tensor("self");
  return is_unsigned(x.dtype()) ? x : hlo::abs(x);
}

Results logical_not(Lowering& l) { return ~l.tensor("self", DType::Pred); }

// Bits of integers and of bools.
Value bits(Value x) {
  if (!hlo::is_integer(x.dtype()) && x.dtype() != DType::Pred)
    fail("bitwise operators are not defined on {}", hlo::name(x.dtype()));
  return x;
}

Results bitwise_not(Lowering& l) { return ~bits(l.tensor("self")); }

Results isnan(Lowering& l) { return hlo::is_nan(l.tensor("self")); }

Results isinf(Lowering& l) {
  const Value x = l.tensor("self");
  if (!hlo::is_floating(x.dtype())) return hlo::constant(l.graph(), {DType::Pred, x.dims()}, 0);
  return compare(Direction::Eq, hlo::abs(x), hlo::highest(l.graph(), x.type()));
}

// --- gradients that ATen asks for by name

Results tanh_backward(Lowering& l) {
  const Value y = l.tensor("output");
  return l.tensor("grad_output") * (1 - y * y);
}

Results sigmoid_backward(Lowering& l) {
  const Value y = l.tensor("output");
  return l.tensor("grad_output") * (1 - y) * y;
}

// --- two operands

template <Opcode opcode>
Results promoted(Lowering& l) {
  const Values xy = l.promoted({"self", "other"});
  return hlo::binary(opcode, xy[0], xy[1]);
}

template <Opcode opcode>
Results bitwise(Lowering& l) {
  const Values xy = l.promoted({"self", "other"});
  return hlo::binary(opcode, bits(xy[0]), bits(xy[1]));
}

// A NaN on either side is the result. XLA's CPU compiler, against the specification, lets a number
// beat a NaN on the right.
template <Opcode opcode>
Value extremum(Value x, Value y) {
  const Value chosen = hlo::binary(opcode, x, y);
  return hlo::is_floating(x.dtype()) ? select(hlo::is_nan(y), y, chosen) : chosen;
}

template <Opcode opcode>
Results extremum_row(Lowering& l) {
  const Values xy = l.promoted({"self", "other"});
  return extremum<opcode>(xy[0], xy[1]);
}

template <Direction direction>
Results comparison(Lowering& l) {
  const Values xy = l.promoted({"self", "other"});
  return compare(direction, xy[0], xy[1]);
}

template <Opcode opcode>
Results logical(Lowering& l) {
  const Values xy = l.promoted({"self", "other"});
  return hlo::binary(opcode, hlo::convert(xy[0], DType::Pred), hlo::convert(xy[1], DType::Pred));
}

// A sum takes no fraction of an integer; products in a sum take it for a whole number.
Value times_alpha(Lowering& l, Value x) {
  const bool is_whole = hlo::is_integer(x.dtype()) || x.dtype() == DType::Pred;
  if (is_whole && hlo::is_floating(l.result_type({"alpha"})))
    fail("For integral input tensors, argument alpha must not be a floating point number");
  return l.scaled(x, "alpha");
}

Results add(Lowering& l) {
  const Values xy = l.promoted({"self", "other"});
  return xy[0] + times_alpha(l, xy[1]);
}

Values subtraction_operands(Lowering& l) {
  for (const char* name : {"self", "other"}) {
    if (l.result_type({name}) == DType::Pred)
      fail("subtraction with a bool is not defined; use logical_xor or logical_not");
  }
  return l.promoted({"self", "other"});
}

Results sub(Lowering& l) {
  const Values xy = subtraction_operands(l);
  return xy[0] - times_alpha(l, xy[1]);
}

Results rsub(Lowering& l) {
  const Values xy = subtraction_operands(l);
  return xy[1] - times_alpha(l, xy[0]);
}

Results div(Lowering& l) {
  const Values xy = l.promoted({"self", "other"}, Promotion::FloatIfInteger);
  return xy[0] / xy[1];
}

// Integers over the number 0 raise, as on the host. Only the host sees what is in a tensor, though:
// there, HLO has it that the quotient is -1 and the remainder the dividend.
Values division_operands(Lowering& l) {
  Values xy = l.promoted({"self", "other"});
  if (is_whole(xy[0].dtype()) && l.is("other", 0)) fail("ZeroDivisionError: integers over 0");
  return xy;
}

// Python's floor division. On integers, HLO's quotient is cut towards zero and must be lowered by
// one where the remainder has the other sign.
Value floor_divide(Value x, Value y) {
  if (hlo::is_floating(x.dtype())) {
    const Value rest = remainder(x, y);
    const Value zero = fill_like(x, 0);
    const Value exact = (x - rest) / y;
    const Value signs_differ =
        compare(Direction::Ne, compare(Direction::Lt, rest, zero), compare(Direction::Lt, y, zero));
    const Value lowered = compare(Direction::Ne, rest, zero) & signs_differ;
    const Value quotient = hlo::unary(Opcode::RoundNearestEven, select(lowered, exact - 1, exact));
    return select(compare(Direction::Eq, y, zero), x / y, quotient);
  }
  const Value zero = fill_like(x, 0), quotient = x / y, rest = x - quotient * y;
  const Value lowered =
      compare(Direction::Ne, rest, zero) &
      compare(Direction::Ne, compare(Direction::Lt, rest, zero), compare(Direction::Lt, y, zero));
  return select(lowered, quotient - 1, quotient);
}

Value trunc_divide(Value x, Value y) {
  const Value quotient = x / y;
  if (!hlo::is_floating(x.dtype())) return quotient;
  return select(compare(Direction::Lt, quotient, fill_like(x, 0)),
                hlo::unary(Opcode::Ceil, quotient), floor(quotient));
}

Results div_mode(Lowering& l) {
  const std::string_view mode = l.text("rounding_mode");
  if (mode.empty()) return div(l);
  const Values xy = division_operands(l);
  if (mode == "floor") return floor_divide(xy[0], xy[1]);
  if (mode == "trunc") return trunc_divide(xy[0], xy[1]);
  fail("rounding_mode is one of None, trunc and floor, got {}", mode);
}

Results floor_divide_row(Lowering& l) {
  const Values xy = division_operands(l);
  return floor_divide(xy[0], xy[1]);
}

// The remainder with the divisor's sign, as Python's %.
Results remainder_row(Lowering& l) {
  const Values xy = division_operands(l);
  const Value rest = remainder(xy[0], xy[1]), zero = fill_like(rest, 0);
  const Value wrong_sign = compare(Direction::Ne, rest, zero) &
                           compare(Direction::Ne, compare(Direction::Lt, rest, zero),
                                   compare(Direction::Lt, xy[1], zero));
  return select(wrong_sign, rest + xy[1], rest);
}

Results fmod(Lowering& l) {
  const Values xy = division_operands(l);
  return remainder(xy[0], xy[1]);
}

// x^n of integers by squaring, modulo 2^width. HLO's power looks at the low bits of n only.
Value whole_power(Value x, Value n) {
  const auto condition = [](std::span<const Value> s) -> Values {
    return {hlo::reduce_or(compare(Direction::Gt, s[2], fill_like(s[2], 0)), all_dims(s[2]))};
  };
  const auto square = [](std::span<const Value> s) -> Values {
    const Value one = fill_like(s[2], 1), is_odd = hlo::convert(s[2] & one, DType::Pred);
    return {select(is_odd, s[0] * s[1], s[0]), s[1] * s[1],
            hlo::binary(Opcode::ShiftRightLogical, s[2], one)};
  };
  const Value positive = select(compare(Direction::Lt, n, fill_like(n, 0)), fill_like(n, 0), n);
  return hlo::while_loop({fill_like(x, 1), x, positive}, condition, square)[0];
}

// Reciprocals of integers are cut to 0 but for those of 1 and -1.
Value integer_power(Value x, Value n) {
  const Value power = whole_power(x, n);
  if (is_unsigned(x.dtype())) return power;
  const Value one = fill_like(x, 1), zero = fill_like(x, 0);
  const Value is_even = compare(Direction::Eq, n & one, zero);
  const Value of_minus_one = select(is_even, one, -one);
  const Value reciprocal = select(compare(Direction::Eq, x, one), one,
                                  select(compare(Direction::Eq, x, -one), of_minus_one, zero));
  return select(compare(Direction::Lt, n, zero), reciprocal, power);
}

Value any_power(Value x, Value n) {
  return hlo::is_integer(x.dtype()) ? integer_power(x, n) : power(x, n);
}

// The exponents that occur in training have cheaper forms than a power.
Results pow_scalar(Lowering& l) {
  const DType dtype = l.result_type({"self", "exponent"});
  const Value x = l.tensor("self", dtype);
  if (l.is("exponent", 0)) return fill_like(x, 1);
  if (l.is("exponent", 1)) return x;
  if (l.is("exponent", 2)) return x * x;
  if (l.is("exponent", 3)) return x * x * x;
  if (l.is("exponent", 0.5)) return hlo::sqrt(x);
  if (l.is("exponent", -1) && hlo::is_floating(dtype)) return 1.0 / x;
  if (hlo::is_integer(dtype) && l.constant("exponent") < 0) {
    fail("integers to negative integer powers are not allowed");
  }
  return any_power(x, l.scalar_like("exponent", x));
}

Results pow_tensor(Lowering& l) {
  const Values xy = l.promoted({"self", "exponent"});
  return any_power(xy[0], xy[1]);
}

Results atan2(Lowering& l) {
  const Values xy = l.promoted({"self", "other"}, Promotion::FloatIfInteger);
  return hlo::binary(Opcode::Atan2, xy[0], xy[1]);
}

// --- three operands

Results addcmul(Lowering& l) {
  const Values x = l.promoted({"self", "tensor1", "tensor2"});
  return x[0] + l.scaled(x[1] * x[2], "value");
}

Results addcdiv(Lowering& l) {
  const Values x = l.promoted({"self", "tensor1", "tensor2"});
  if (!hlo::is_floating(x[0].dtype()) && !hlo::is_complex(x[0].dtype())) {
    fail("addcdiv is not defined on integers; use true_divide and an explicit conversion");
  }
  return x[0] + l.scaled(x[1] / x[2], "value");
}

// From the nearer end, so that the weights 0 and 1 give the ends themselves.
Value interpolated(Value start, Value end, Value weight) {
  const Value x = to_compute_type(start), y = to_compute_type(end), w = to_compute_type(weight);
  const Value step = y - x, size = hlo::abs(w);
  const Value near_start = compare(Direction::Lt, size, fill_like(size, 0.5));
  return hlo::convert(select(near_start, x + w * step, y - step * (1 - w)), start.dtype());
}

Results lerp_scalar(Lowering& l) {
  const Values x = l.promoted({"self", "end"});
  return interpolated(x[0], x[1], l.scalar_like("weight", to_compute_type(x[0])));
}

Results lerp_tensor(Lowering& l) {
  const Values x = l.promoted({"self", "end", "weight"});
  return interpolated(x[0], x[1], x[2]);
}

Results where(Lowering& l) {
  const Values xy = l.promoted({"self", "other"});
  const DType type = l.type("condition").dtype;
  if (type != DType::Pred && type != DType::U8) {
    fail("where expected condition to be a boolean tensor, but got a tensor of {}",
         hlo::name(type));
  }
  const Value condition = l.tensor("condition", DType::Pred);
  const Dims shape = hlo::broadcast_dims(condition.dims(), xy[0].dims());
  return select(hlo::broadcast_to(condition, shape), hlo::broadcast_to(xy[0], shape),
                hlo::broadcast_to(xy[1], shape));
}

Results masked_fill(Lowering& l) {
  const Value x = l.tensor("self"), mask = l.tensor("mask");
  if (mask.dtype() != DType::Pred) fail("a mask is of bool, got {}", to_string(mask.type()));
  const Dims shape = hlo::broadcast_dims(mask.dims(), x.dims());
  const Value filling = hlo::broadcast_to(l.operand("value", x.dtype()), shape);
  return select(hlo::broadcast_to(mask, shape), filling, hlo::broadcast_to(x, shape));
}

Results masked_fill_tensor(Lowering& l) {
  if (l.type("value").rank() != 0)
    fail("masked_fill wants a 0-dimensional value, got {}", to_string(l.type("value")));
  return masked_fill(l);
}

// ATen's clamp lets NaN through and, where the bounds cross, ends at the upper one.
Results clamp(Lowering& l) {
  if (!l.has("min") && !l.has("max")) fail("At least one of min and max must not be None");
  const DType dtype = l.result_type({"self", "min", "max"});
  Value x = l.tensor("self", dtype);
  for (const auto& [name, choose] : {std::pair{"min", &extremum<Opcode::Maximum>},
                                     std::pair{"max", &extremum<Opcode::Minimum>}}) {
    if (!l.has(name)) continue;
    const Value bound = l.operand(name, dtype);
    const Dims shape = hlo::broadcast_dims(x.dims(), bound.dims());
    x = choose(hlo::broadcast_to(x, shape), hlo::broadcast_to(bound, shape));
  }
  return x;
}

template <Opcode opcode>
Results clamp_one(Lowering& l) {
  constexpr const char* kBound = opcode == Opcode::Maximum ? "min" : "max";
  const Values xy = l.promoted({"self", kBound});
  return extremum<opcode>(xy[0], xy[1]);
}

Results hardtanh(Lowering& l) {
  const Value x = l.tensor("self");
  const Value above = extremum<Opcode::Maximum>(x, l.scalar_like("min_val", x));
  return extremum<Opcode::Minimum>(above, l.scalar_like("max_val", x));
}

constexpr OpRow kRows[] = {
    {"aten::abs", abs},
    {"aten::neg", neg},
    {"aten::sign", sgn},
    {"aten::sgn", sgn},
    {"aten::ceil", rounding<Opcode::Ceil>},
    {"aten::floor", rounding<Opcode::Floor>},
    {"aten::round", rounding<Opcode::RoundNearestEven>},
    {"aten::trunc", trunc},
    {"aten::frac", frac},
    {"aten::acos", floating<Opcode::Acos>},
    {"aten::acosh", floating<Opcode::Acosh>},
    {"aten::asin", floating<Opcode::Asin>},
    {"aten::asinh", floating<Opcode::Asinh>},
    {"aten::atan", floating<Opcode::Atan>},
    {"aten::atanh", floating<Opcode::Atanh>},
    {"aten::cos", floating<Opcode::Cosine>},
    {"aten::cosh", floating<Opcode::Cosh>},
    {"aten::digamma", digamma},
    {"aten::erf", floating<Opcode::Erf>},
    {"aten::erfc", floating<Opcode::Erfc>},
    {"aten::erfinv", floating<Opcode::ErfInv>},
    {"aten::exp", floating<Opcode::Exponential>},
    {"aten::exp2", exp2},
    {"aten::expm1", floating<Opcode::ExponentialMinusOne>},
    {"aten::lgamma", floating<Opcode::Lgamma>},
    {"aten::log", floating<Opcode::Log>},
    {"aten::log10", log10},
    {"aten::log1p", floating<Opcode::LogPlusOne>},
    {"aten::log2", log2},
    {"aten::reciprocal", reciprocal},
    {"aten::rsqrt", floating<Opcode::Rsqrt>},
    {"aten::sigmoid", floating<Opcode::Logistic>},
    {"aten::sin", floating<Opcode::Sine>},
    {"aten::sinh", floating<Opcode::Sinh>},
    {"aten::sqrt", floating<Opcode::Sqrt>},
    {"aten::tan", floating<Opcode::Tan>},
    {"aten::tanh", floating<Opcode::Tanh>},
    {"aten::bitwise_not", bitwise_not},
    {"aten::logical_not", logical_not},
    {"aten::isnan", isnan},
    {"aten::isinf", isinf},
    {"aten::tanh_backward", tanh_backward},
    {"aten::sigmoid_backward", sigmoid_backward},
    {"aten::add.Tensor", add},
    {"aten::sub.Tensor", sub},
    {"aten::rsub.Tensor", rsub},
    {"aten::rsub.Scalar", rsub},
    {"aten::mul.Tensor", promoted<Opcode::Multiply>},
    {"aten::div.Tensor", div},
    {"aten::div.Tensor_mode", div_mode},
    {"aten::floor_divide", floor_divide_row},
    {"aten::remainder.Tensor", remainder_row},
    {"aten::remainder.Scalar", remainder_row},
    {"aten::remainder.Scalar_Tensor", remainder_row},
    {"aten::fmod.Tensor", fmod},
    {"aten::fmod.Scalar", fmod},
    {"aten::maximum", extremum_row<Opcode::Maximum>},
    {"aten::minimum", extremum_row<Opcode::Minimum>},
    {"aten::pow.Tensor_Scalar", pow_scalar},
    {"aten::pow.Tensor_Tensor", pow_tensor},
    {"aten::pow.Scalar", pow_tensor},
    {"aten::atan2", atan2},
    {"aten::bitwise_and.Tensor", bitwise<Opcode::And>},
    {"aten::bitwise_or.Tensor", bitwise<Opcode::Or>},
    {"aten::bitwise_xor.Tensor", bitwise<Opcode::Xor>},
    {"aten::logical_and", logical<Opcode::And>},
    {"aten::logical_or", logical<Opcode::Or>},
    {"aten::logical_xor", logical<Opcode::Xor>},
    {"aten::eq.Tensor", comparison<Direction::Eq>},
    {"aten::eq.Scalar", comparison<Direction::Eq>},
    {"aten::ne.Tensor", comparison<Direction::Ne>},
    {"aten::ne.Scalar", comparison<Direction::Ne>},
    {"aten::lt.Tensor", comparison<Direction::Lt>},
    {"aten::lt.Scalar", comparison<Direction::Lt>},
    {"aten::le.Tensor", comparison<Direction::Le>},
    {"aten::le.Scalar", comparison<Direction::Le>},
    {"aten::gt.Tensor", comparison<Direction::Gt>},
    {"aten::gt.Scalar", comparison<Direction::Gt>},
    {"aten::ge.Tensor", comparison<Direction::Ge>},
    {"aten::ge.Scalar", comparison<Direction::Ge>},
    {"aten::addcmul", addcmul},
    {"aten::addcdiv", addcdiv},
    {"aten::lerp.Scalar", lerp_scalar},
    {"aten::lerp.Tensor", lerp_tensor},
    {"aten::where.self", where},
    {"aten::masked_fill.Scalar", masked_fill},
    {"aten::masked_fill.Tensor", masked_fill_tensor},
    {"aten::clamp", clamp},
    {"aten::clamp.Tensor", clamp},
    {"aten::hardtanh", hardtanh},
    {"aten::clamp_min", clamp_one<Opcode::Maximum>},
    {"aten::clamp_max", clamp_one<Opcode::Minimum>},
    {"aten::clamp_min.Tensor", clamp_one<Opcode::Maximum>},
    {"aten::clamp_max.Tensor", clamp_one<Opcode::Minimum>},
};

}  // namespace

std::span<const OpRow> pointwise_rows() { return kRows; }

}  // namespace ippatsu::ops
