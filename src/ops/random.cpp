// Random numbers. Every call takes a fresh state of the generator as an input of the program, so a
// program that runs again draws anew, and a run with the same seed draws the same.

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// Uniform in [0, 1): the upper bits of a random word, as many as the mantissa holds.
Value uniform01(Value state, const Dims& dims, DType dtype) {
  const bool wide = dtype == DType::F64;
  const DType word = wide ? DType::U64 : DType::U32, real = wide ? DType::F64 : DType::F32;
  const int bits = wide ? 53 : 24;
  const Value random = random_bits(state, {word, dims});
  const Value shift =
      hlo::constant(state.graph(), random.type(), static_cast<int64_t>((wide ? 64 : 32) - bits));
  const Value upper = hlo::binary(hlo::Opcode::ShiftRightLogical, random, shift);
  return hlo::convert(upper, real) * std::ldexp(1.0, -bits);
}

Results uniform(Lowering& l) {
  const hlo::Type x = l.type("self");
  const double from = l.constant("from"), to = l.constant("to");
  if (!(from <= to)) fail("uniform wants from <= to, got {} and {}", from, to);
  return hlo::convert(uniform01(l.random_state(), x.dims, x.dtype) * (to - from) + from, x.dtype);
}

// The inverse of the normal distribution, sqrt 2 * erfinv(2 u - 1), u in (0, 1).
Results normal(Lowering& l) {
  const hlo::Type x = l.type("self");
  const double mean = l.constant("mean"), deviation = l.constant("std");
  if (deviation < 0) fail("normal wants std >= 0, got {}", deviation);
  const Value u = uniform01(l.random_state(), x.dims, x.dtype);
  const double half_step = u.dtype() == DType::F64 ? 0x1p-54 : 0x1p-25;  // keeps u off 0
  const Value z = hlo::unary(hlo::Opcode::ErfInv, (u + half_step) * 2 - 1) * std::numbers::sqrt2;
  return hlo::convert(z * deviation + mean, x.dtype);
}

void check_probability(double p) {
  if (!(p >= 0 && p <= 1)) fail("a probability is in [0, 1], got {}", p);
}

Value bernoulli_mask(Value state, const Dims& dims, double p) {
  const Value u = uniform01(state, dims, DType::F32);
  return compare(Direction::Lt, u, fill_like(u, p));
}

Results bernoulli_p(Lowering& l) {
  const hlo::Type x = l.type("self");
  check_probability(l.constant("p"));
  return hlo::convert(bernoulli_mask(l.random_state(), x.dims, l.constant("p")), x.dtype);
}

Results bernoulli(Lowering& l) {
  const Value p = l.tensor("self");
  const Value u = uniform01(l.random_state(), p.dims(), p.dtype());
  return hlo::convert(compare(Direction::Lt, u, hlo::convert(p, u.dtype())), p.dtype());
}

// Srivastava et al., "Dropout", 2014, scaled while training. Results: the output and the mask kept.
Results native_dropout(Lowering& l) {
  const Value x = l.tensor("input");
  const double p = l.constant("p");
  check_probability(p);
  if (l.has("train") && !l.flag("train"))
    return {x, hlo::constant(l.graph(), {DType::Pred, x.dims()}, 1)};
  const Value kept = bernoulli_mask(l.random_state(), x.dims(), 1 - p);
  const double scale = p == 1 ? 0 : 1 / (1 - p);
  return {select(kept, x * scale, fill_like(x, 0)), kept};
}

Results native_dropout_backward(Lowering& l) {
  const Value grad = l.tensor("grad_output");
  return select(l.tensor("mask", DType::Pred), grad * l.constant("scale"), fill_like(grad, 0));
}

// Integers in [low, high), by the remainder of a 64-bit word: the bias is below 2^-32 for ranges
// that fit 32 bits.
Value random_integers(Lowering& l, int64_t low, int64_t high) {
  const hlo::Type x = l.type("self");
  if (low >= high) fail("random wants from < to, got {} and {}", low, high);
  const Value words = random_bits(l.random_state(), {DType::U64, x.dims});
  const auto range = static_cast<int64_t>(static_cast<uint64_t>(high) - static_cast<uint64_t>(low));
  const Value offset = remainder(words, hlo::constant(l.graph(), words.type(), range));
  const Value number =
      hlo::convert(offset, DType::I64) + hlo::constant(l.graph(), {DType::I64, x.dims}, low);
  return hlo::convert(number, x.dtype);
}

Results random_to(Lowering& l) { return random_integers(l, 0, l.integer("to")); }

Results random_from(Lowering& l) {
  if (!l.has("to")) {
    fail("random without an upper bound is not defined for {}", to_string(l.type("self")));
  }
  return random_integers(l, l.integer("from"), l.integer("to"));
}

// The inverse of the exponential distribution, -log(1 - u) / lambd.
Results exponential(Lowering& l) {
  const hlo::Type x = l.type("self");
  const double rate = l.constant("lambd");
  if (!(rate > 0)) fail("exponential_ expects lambda > 0.0, but found lambda={}", rate);
  const Value u = uniform01(l.random_state(), x.dims, x.dtype);
  return hlo::convert(log1p(-u) * (-1 / rate), x.dtype);
}

// 0 ... n - 1 in the order of n random words, of which two are alike once in 2^64 / n^2 times.
Results randperm(Lowering& l) {
  const int64_t n = l.integer("n");
  if (n < 0) fail("n must be non-negative, got {}", n);
  const Value keys = random_bits(l.random_state(), {DType::U64, {n}});
  const Value places = hlo::iota(l.graph(), {DType::I64, {n}}, 0);
  return hlo::convert(hlo::sort(keys, {places}, 0, /*descending=*/false)[1], l.type("out").dtype);
}

constexpr OpRow kRows[] = {
    {"aten::uniform", uniform},
    {"aten::normal_functional", normal},
    {"aten::bernoulli", bernoulli},
    {"aten::bernoulli.p", bernoulli_p},
    {"aten::native_dropout", native_dropout},
    {"aten::native_dropout_backward", native_dropout_backward},
    {"aten::exponential", exponential},
    {"aten::randperm.generator_out", randperm},
    {"aten::random.to", random_to},
    {"aten::random.from", random_from},
};

}  // namespace

std::span<const OpRow> random_rows() { return kRows; }

}  // namespace ippatsu::ops
