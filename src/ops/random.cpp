// Random numbers. Every call takes a fresh state of the generator as an input of the program, so a
// program that runs again draws anew, and a run with the same seed draws the same.

#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/error.h"
#include "ops/distributions.h"
#include "ops/random_stream.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// Of a row's type: `draw` makes real numbers, two of them for a complex one.
template <typename Draw>
Value drawn(Lowering& l, const hlo::Type& type, Draw draw) {
  RandomStream stream(l.random_state());
  if (!hlo::is_complex(type.dtype)) return hlo::convert(draw(stream, type.dtype), type.dtype);
  const Value real = draw(stream, hlo::real_part(type.dtype));
  return hlo::complex(real, draw(stream, hlo::real_part(type.dtype)));
}

void check_continuous(const hlo::Type& type, std::string_view distribution) {
  if (!hlo::is_floating(type.dtype))
    fail("{} is a continuous distribution and not defined on {}", distribution, to_string(type));
}

Results uniform(Lowering& l) {
  const hlo::Type x = l.type("self");
  if (!hlo::is_complex(x.dtype)) check_continuous(x, "uniform");
  const double from = l.constant("from"), to = l.constant("to");
  if (!(from <= to)) fail("uniform wants from <= to, got {} and {}", from, to);
  return drawn(l, x, [&](RandomStream& stream, DType dtype) {
    const Value u = stream.uniform(x.dims, dtype), start = l.scalar_like("from", u);
    return u * (l.scalar_like("to", u) - start) + start;
  });
}

// --- normal

void check_deviation(double deviation) {
  if (!(deviation >= 0)) fail("normal expects std >= 0.0, but found std {}", deviation);
}

// The parts of a complex number share the variance.
Results normal(Lowering& l) {
  const hlo::Type x = l.type("self");
  const bool is_complex = hlo::is_complex(x.dtype);
  if (!is_complex) check_continuous(x, "normal");
  check_deviation(l.constant("std"));
  return drawn(l, x, [&](RandomStream& stream, DType dtype) {
    Value z = stream.normal(x.dims, dtype);
    if (is_complex) z = z * (1 / std::numbers::sqrt2);
    return z * l.scalar_like("std", z) + l.scalar_like("mean", z);
  });
}

// Standard normal numbers of the type, whose parts share the variance if it is complex.
Value standard_normal(Lowering& l, const hlo::Type& type) {
  if (!hlo::is_complex(type.dtype)) check_continuous(type, "normal");
  RandomStream stream(l.random_state());
  if (!hlo::is_complex(type.dtype)) return stream.normal(type.dims, type.dtype);
  const DType part = hlo::real_part(type.dtype);
  const Value real = stream.normal(type.dims, part), imag = stream.normal(type.dims, part);
  return hlo::complex(real, imag) * (1 / std::numbers::sqrt2);
}

// Where a deviation is negative, which only the host could raise an error for, the sign is without
// meaning: the distribution is that of its magnitude.
Results normal_around(Lowering& l) {
  const Value mean = l.tensor("mean");
  check_deviation(l.constant("std"));
  const Value z = standard_normal(l, mean.type());
  return hlo::convert(z * l.scalar_like("std", z) + to_compute_type(mean), mean.dtype());
}

Results normal_of_deviations(Lowering& l) {
  const Value deviation = l.tensor("std"), z = standard_normal(l, deviation.type());
  return hlo::convert(z * to_compute_type(deviation) + l.scalar_like("mean", z), deviation.dtype());
}

Results normal_of_both(Lowering& l) {
  const DType dtype = l.type("mean").dtype;
  const Value mean = l.tensor("mean"), deviation = l.tensor("std", dtype);
  const Dims shape = hlo::broadcast_dims(mean.dims(), deviation.dims());
  const Value z = standard_normal(l, {dtype, shape});
  return hlo::convert(z * hlo::broadcast_to(to_compute_type(deviation), shape) +
                          hlo::broadcast_to(to_compute_type(mean), shape),
                      dtype);
}

Results log_normal(Lowering& l) {
  const hlo::Type x = l.type("self");
  check_continuous(x, "log_normal");
  if (!(l.constant("std") > 0))
    fail("log_normal_ expects std > 0.0, but found std={}", l.constant("std"));
  return drawn(l, x, [&](RandomStream& stream, DType dtype) {
    const Value z = stream.normal(x.dims, dtype);
    return exp(z * l.scalar_like("std", z) + l.scalar_like("mean", z));
  });
}

// --- by the inverse of a distribution function

// tan(pi (u - 1/2))
Results cauchy(Lowering& l) {
  const hlo::Type x = l.type("self");
  check_continuous(x, "cauchy");
  if (!(l.constant("sigma") > 0))
    fail("cauchy_ expects sigma > 0.0, but found sigma={}", l.constant("sigma"));
  return drawn(l, x, [&](RandomStream& stream, DType dtype) {
    const Value half_turns = stream.symmetric_uniform(x.dims, dtype);
    const Value ratio = hlo::unary(hlo::Opcode::Tan, half_turns * (std::numbers::pi / 2));
    return ratio * l.scalar_like("sigma", ratio) + l.scalar_like("median", ratio);
  });
}

Results exponential(Lowering& l) {
  const hlo::Type x = l.type("self");
  check_continuous(x, "exponential");
  const double rate = l.constant("lambd");
  if (!(rate > 0)) fail("exponential_ expects lambda > 0.0, but found lambda={}", rate);
  return drawn(l, x, [&](RandomStream& stream, DType dtype) {
    const Value time = stream.exponential(x.dims, dtype);
    return time / l.scalar_like("lambd", time);
  });
}

// How many trials the first success takes: an exponential time, rounded up, of the rate -log(1 -
// p).
Results geometric(Lowering& l) {
  const hlo::Type x = l.type("self");
  const double p = l.constant("p");
  if (!(p > 0 && p < 1)) fail("geometric_ expects p to be in (0, 1), but got p={}", p);
  if (hlo::is_complex(x.dtype) || x.dtype == DType::Pred)
    fail("geometric is not defined on {}", to_string(x));
  return drawn(l, x, [&](RandomStream& stream, DType dtype) {
    const Value time = stream.exponential(x.dims, dtype);
    return hlo::unary(hlo::Opcode::Ceil, time / -log1p(-l.scalar_like("p", time)));
  });
}

// --- coins

void check_probability(double p) {
  if (!(p >= 0 && p <= 1)) fail("a probability is in [0, 1], got {}", p);
}

// Whether each of random numbers is below p, the probability of true.
Value coins(Lowering& l, Value p) {
  const DType dtype = p.dtype() == DType::F64 ? DType::F64 : DType::F32;
  const Value u = RandomStream(l.random_state()).uniform(p.dims(), dtype);
  return compare(Direction::Lt, u, hlo::convert(p, dtype));
}

Value coins(Lowering& l, const Dims& dims, std::string_view probability) {
  check_probability(l.constant(probability));
  return coins(l, hlo::broadcast_to(l.scalar(probability, DType::F32), dims));
}

Results bernoulli_p(Lowering& l) {
  const hlo::Type x = l.type("self");
  return hlo::convert(coins(l, x.dims, "p"), x.dtype);
}

Value probabilities(Lowering& l, std::string_view name) {
  const Value p = l.tensor(name);
  if (!hlo::is_floating(p.dtype()))
    fail("probabilities are floating-point numbers, got {}", to_string(p.type()));
  return p;
}

Results bernoulli(Lowering& l) {
  const Value p = probabilities(l, "self");
  return hlo::convert(coins(l, p), p.dtype());
}

Results bernoulli_of_tensor(Lowering& l) {
  const hlo::Type x = l.type("self");
  return hlo::convert(coins(l, hlo::broadcast_to(probabilities(l, "p"), x.dims)), x.dtype);
}

// Srivastava et al., "Dropout", 2014, scaled while training. Results: the output and the mask kept,
// which for an input without elements ATen leaves as the input itself.
Results native_dropout(Lowering& l) {
  const Value x = l.tensor("input");
  const double p = l.constant("p");
  check_probability(p);
  if (x.type().elements() == 0) return {x, x};
  if (l.has("train") && !l.flag("train"))
    return {x, hlo::constant(l.graph(), {DType::Pred, x.dims()}, 1)};
  const Value kept = ~coins(l, x.dims(), "p");
  const double scale = p == 1 ? 0 : 1 / (1 - p);
  return {select(kept, x * scale, fill_like(x, 0)), kept};
}

// The form for one kernel of its own: `p` is the probability to keep an element, the mask is of
// ui8.
Results fused_dropout(Lowering& l) {
  const Value x = l.tensor("self");
  const Value kept = coins(l, x.dims(), "p");
  const double scale = l.constant("p") == 0 ? 0 : 1 / l.constant("p");
  return {select(kept, x * scale, fill_like(x, 0)), hlo::convert(kept, DType::U8)};
}

Results masked_scale(Lowering& l) {
  const Value x = l.tensor("self");
  return x * l.tensor("mask", x.dtype()) * l.scalar_like("scale", x);
}

Results native_dropout_backward(Lowering& l) {
  const Value grad = l.promoted({"grad_output"}, Promotion::FloatIfInteger)[0];
  return select(l.tensor("mask", DType::Pred), grad * l.constant("scale"), fill_like(grad, 0));
}

// Xu et al., "Empirical evaluation of rectified activations", 2015: what is not positive is
// multiplied by noise, uniform in [lower, upper], or by its mean where nothing is trained.
struct NoisyRelu {
  Value y, noise;
};

NoisyRelu noisy_relu(Lowering& l) {
  const Value self = l.tensor("self"), x = to_compute_type(self);
  const Value negative = compare(Direction::Le, x, fill_like(x, 0));
  const double lower = l.constant("lower"), upper = l.constant("upper");
  if (!l.flag("training")) {
    const Value y = select(negative, x * ((lower + upper) / 2), x);
    return {hlo::convert(y, self.dtype()), l.tensor("noise")};
  }
  if (!(lower <= upper)) fail("rrelu wants lower <= upper, got {} and {}", lower, upper);
  const Value u = RandomStream(l.random_state()).uniform(x.dims(), x.dtype());
  const Value noise = select(negative, u * (upper - lower) + lower, fill_like(x, 1));
  return {hlo::convert(x * noise, self.dtype()), hlo::convert(noise, self.dtype())};
}

Results rrelu(Lowering& l) {
  const NoisyRelu result = noisy_relu(l);
  if (l.flag("training")) l.write("noise", result.noise);
  return result.y;
}

Results rrelu_functional(Lowering& l) {
  const NoisyRelu result = noisy_relu(l);
  return {result.y, result.noise};
}

Results rrelu_backward(Lowering& l) {
  const Value self = l.tensor("self"), x = to_compute_type(self);
  const Value grad = l.tensor("grad_output", x.dtype());
  const double lower = l.constant("lower"), upper = l.constant("upper");
  if (l.flag("training") && upper - lower > 1e-6)
    return hlo::convert(grad * l.tensor("noise", x.dtype()), self.dtype());
  const Value positive = compare(Direction::Gt, x, fill_like(x, 0));
  return hlo::convert(select(positive, grad, grad * ((lower + upper) / 2)), self.dtype());
}

// --- integers

// From `low` on, `range` of them (0 stands for 2^64), by the remainder of a 64-bit word: the bias
// is below 2^-32 for ranges that fit 32 bits.
Value random_integers(Lowering& l, const hlo::Type& type, int64_t low, uint64_t range) {
  Value offset = RandomStream(l.random_state()).words({DType::U64, type.dims});
  if (range != 0) {
    const Value bound = hlo::constant(l.graph(), offset.type(), static_cast<int64_t>(range));
    offset = remainder(offset, bound);
  }
  const Value number = hlo::bitcast_convert(offset, DType::I64) +
                       hlo::constant(l.graph(), {DType::I64, type.dims}, low);
  return hlo::convert(number, type.dtype);
}

// What random_ fills a tensor with: all integers of the type that are not negative, and for
// floating types those up to the last one before which none is left out.
struct Bounds {
  int64_t least, greatest;
};
Bounds bounds_of(DType dtype) {
  constexpr Bounds kBounds[hlo::kDTypes] = {{0, 1},
                                            {INT8_MIN, INT8_MAX},
                                            {INT16_MIN, INT16_MAX},
                                            {INT32_MIN, INT32_MAX},
                                            {INT64_MIN, INT64_MAX},
                                            {0, UINT8_MAX},
                                            {0, UINT16_MAX},
                                            {0, UINT32_MAX},
                                            {0, INT64_MAX},
                                            {-2048, 2048},
                                            {-256, 256},
                                            {-(1 << 24), 1 << 24},
                                            {-(int64_t{1} << 53), int64_t{1} << 53}};
  if (hlo::is_complex(dtype)) fail("random integers are not defined on {}", hlo::name(dtype));
  return kBounds[static_cast<size_t>(dtype)];
}

// Both ends included. Only integers are kept to the bounds of their type.
Value random_between(Lowering& l, int64_t low, int64_t high) {
  const hlo::Type x = l.type("self");
  const auto [least, greatest] = bounds_of(x.dtype);
  if (!hlo::is_floating(x.dtype)) {
    if (low < least || low > greatest) fail("from is out of bounds for {}", hlo::name(x.dtype));
    if (high < least || high > greatest) fail("to - 1 is out of bounds for {}", hlo::name(x.dtype));
  }
  return random_integers(l, x, low, static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1);
}

Value random_below(Lowering& l, int64_t low, int64_t end) {
  if (low >= end)
    fail("random_ expects 'from' to be less than 'to', but got from={} >= to={}", low, end);
  return random_between(l, low, end - 1);
}

Results random_any(Lowering& l) {
  return random_between(l, 0, bounds_of(l.type("self").dtype).greatest);
}

Results random_to(Lowering& l) { return random_below(l, 0, l.integer("to")); }

Results random_from(Lowering& l) {
  const int64_t low = l.integer("from");
  if (l.has("to")) return random_below(l, low, l.integer("to"));
  return random_between(l, low, bounds_of(l.type("self").dtype).greatest);
}

// 0 ... n - 1 in the order of n random words, of which two are alike once in 2^64 / n^2 times.
Results randperm(Lowering& l) {
  const int64_t n = l.integer("n");
  if (n < 0) fail("n must be non-negative, got {}", n);
  const Value keys = RandomStream(l.random_state()).words({DType::U64, {n}});
  const Value places = hlo::iota(l.graph(), {DType::I64, {n}}, 0);
  return hlo::convert(hlo::sort(keys, {places}, 0, /*descending=*/false)[1], l.type("out").dtype);
}

constexpr OpRow kRows[] = {
    {"aten::uniform", uniform},
    {"aten::normal_functional", normal},
    {"aten::normal.Tensor_float", normal_around},
    {"aten::normal.float_Tensor", normal_of_deviations},
    {"aten::normal.Tensor_Tensor", normal_of_both},
    {"aten::log_normal", log_normal},
    {"aten::cauchy", cauchy},
    {"aten::geometric", geometric},
    {"aten::bernoulli", bernoulli},
    {"aten::bernoulli.p", bernoulli_p},
    {"aten::bernoulli.Tensor", bernoulli_of_tensor},
    {"aten::native_dropout", native_dropout},
    {"aten::native_dropout_backward", native_dropout_backward},
    {"aten::_fused_dropout", fused_dropout},
    {"aten::_masked_scale", masked_scale},
    {"aten::rrelu_with_noise", rrelu},
    {"aten::rrelu_with_noise_functional", rrelu_functional},
    {"aten::rrelu_with_noise_backward", rrelu_backward},
    {"aten::exponential", exponential},
    {"aten::randperm.generator_out", randperm},
    {"aten::random", random_any},
    {"aten::random.to", random_to},
    {"aten::random.from", random_from},
    {"aten::multinomial", multinomial},
    {"aten::poisson", poisson},
    {"aten::binomial", binomial},
    {"aten::_standard_gamma", standard_gamma},
    {"aten::_sample_dirichlet", sample_dirichlet},
};

}  // namespace

std::span<const OpRow> random_rows() { return kRows; }

}  // namespace ippatsu::ops
