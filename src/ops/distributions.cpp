#include "ops/distributions.h"

#include <cmath>
#include <functional>
#include <limits>

#include "ops/comparisons.h"
#include "ops/compute.h"
#include "ops/gamma.h"
#include "ops/ordering.h"
#include "ops/random_stream.h"
#include "ops/scan.h"

namespace ippatsu::ops {

namespace {

// --- loops

using Carried = std::span<const Value>;

// One round of a sampler: what becomes of the elements, of which the first ones that `waiting`
// marks are not done.
struct Round {
  Value waiting;
  Value sample;
};
using Draw = std::function<Round(RandomStream& stream, Value waiting, Value sample, Carried given)>;

// Draws until no element waits. `given` are values that the rounds look at. Rounds are bounded, so
// that no parameter can make the loop endless; a sampler accepts more than half of what it tries.
Value sampled(Value state, Value waiting, Value sample, const Values& given, const Draw& draw) {
  constexpr int64_t kMostRounds = 4096;
  enum { kRound, kState, kWaiting, kSample, kGiven };
  Values carried = {hlo::constant(state.graph(), {DType::I64, {}}, 0), state, waiting, sample};
  carried.insert(carried.end(), given.begin(), given.end());
  const auto condition = [&](Carried s) -> Values {
    const Value limit = hlo::constant(s[kRound].graph(), s[kRound].type(), kMostRounds);
    return {hlo::reduce_or(s[kWaiting], all_dims(s[kWaiting])) & less(s[kRound], limit)};
  };
  const auto body = [&](Carried s) {
    RandomStream stream(s[kState]);
    const Round after = draw(stream, s[kWaiting], s[kSample], s.subspan(kGiven));
    Values next = {s[kRound] + 1, stream.state(), after.waiting, after.sample};
    next.insert(next.end(), s.begin() + kGiven, s.end());
    return next;
  };
  return hlo::while_loop(carried, condition, body)[kSample];
}

// The state for a second loop: far from where the first one draws.
Value second_state(Value state) {
  constexpr int64_t kFar = int64_t{1} << 31;
  const int64_t step[] = {0, kFar};
  return state + hlo::constant_list(state.graph(), state.type(), step);
}

// The next of a sequence of waiting times that goes on until their sum is over a limit. The sample
// counts those before.
Value counted(Value state, Value waiting, Value limit, const Values& given,
              const std::function<Value(RandomStream&, Carried)>& waiting_time) {
  const Value zero = fill_like(limit, 0);
  constexpr size_t kLimit = 0, kOwn = 1;
  enum { kSumRow, kCountRow };
  // The sample is the pair of the sum so far and the count.
  const auto pair = [](Value sum, Value count) {
    Dims dims = sum.dims();
    dims.insert(dims.begin(), 1);
    return hlo::concatenate({hlo::reshape(sum, dims), hlo::reshape(count, dims)}, 0);
  };
  const auto row = [](Value both, int64_t index) {
    const Dims dims(both.dims().begin() + 1, both.dims().end());
    return hlo::reshape(hlo::slice_dim(both, 0, index, index + 1), dims);
  };
  const Draw draw = [&](RandomStream& stream, Value waits, Value sample, Carried given) -> Round {
    const Value sum = row(sample, kSumRow) + waiting_time(stream, given.subspan(kOwn));
    const Value counts = waits & at_most(sum, given[kLimit]);
    const Value count = row(sample, kCountRow);
    return {counts, pair(sum, select(counts, count + 1, count))};
  };
  Values all_given = {limit};
  all_given.insert(all_given.end(), given.begin(), given.end());
  return row(sampled(state, waiting, pair(zero, zero), all_given, draw), kCountRow);
}

// --- Poisson

// A sampler by "transformed rejection": floor((2 a / us + b) u + centre), us = 1/2 - |u|, which
// most often can be accepted at once.
struct Transformed {
  Value us, v, candidate, squeezed;
};
Transformed transformed(RandomStream& stream, Value a, Value b, Value centre, Value v_squeeze) {
  const Value u = stream.symmetric_uniform(a.dims(), a.dtype()) * 0.5;
  const Value v = stream.open_uniform(a.dims(), a.dtype()), us = 0.5 - hlo::abs(u);
  const Value candidate = floor((2.0 * a / us + b) * u + centre);
  return {us, v, candidate, at_least(us, 0.07) & at_most(v, v_squeeze)};
}

// Hörmann, "The transformed rejection method for generating Poisson random variables", 1993: PTRS,
// for rates from 10 on.
Round draw_poisson(RandomStream& stream, Value waiting, Value sample, Carried given) {
  const Value rate = given[0];
  const Value b = hlo::sqrt(rate) * 2.53 + 0.931, a = b * 0.02483 - 0.059;
  const Value inverse_alpha = 1.1328 / (b - 3.4) + 1.1239, v_squeeze = 0.9277 - 3.6224 / (b - 2);
  const auto [us, v, k, squeezed] = transformed(stream, a, b, rate + 0.43, v_squeeze);
  const Value possible = at_least(k, 0) & ~(less(us, 0.013) & greater(v, us));
  const Value height = log(v * inverse_alpha / (a / (us * us) + b));
  const Value accepted = squeezed | (possible & at_most(height, log_poisson_mass(k, rate)));
  return {waiting & ~accepted, select(waiting & accepted, k, sample)};
}

// --- binomial

// log of the probability of k successes in n trials of probability p: of Poisson masses, those of k
// successes and n - k failures over that of n trials (Loader, "Fast and accurate computation of
// binomial probabilities", 2000).
Value log_binomial_mass(Value k, Value n, Value p) {
  return log_poisson_mass(k, n * p) + log_poisson_mass(n - k, n * (1 - p)) - log_poisson_mass(n, n);
}

// Hörmann, "The generation of binomial random variates", 1993: BTRS, for n p >= 10 and p <= 1/2.
Round draw_binomial(RandomStream& stream, Value waiting, Value sample, Carried given) {
  const Value n = given[0], p = given[1];
  const Value deviation = hlo::sqrt(n * p * (1 - p)), b = deviation * 2.53 + 1.15;
  const Value a = b * 0.0248 + p * 0.01 - 0.0873, v_squeeze = 0.92 - 4.2 / b;
  const Value alpha = (5.1 / b + 2.83) * deviation, mode = floor((n + 1) * p);
  const auto [us, v, k, squeezed] = transformed(stream, a, b, n * p + 0.5, v_squeeze);
  const Value possible = at_least(k, 0) & at_most(k, n);
  const Value height = log(v * alpha / (a / (us * us) + b));
  const Value above_mode = log_binomial_mass(k, n, p) - log_binomial_mass(mode, n, p);
  const Value accepted = possible & (squeezed | at_most(height, above_mode));
  return {waiting & ~accepted, select(waiting & accepted, k, sample)};
}

// For p up to 1/2. Few successes by counting the gaps between them (Devroye, "Non-uniform random
// variate generation", 1986, X.4.3).
Value few_or_many_successes(Value state, Value n, Value p) {
  constexpr double kMany = 10;
  const Value valid = at_least(p, 0) & less(n, kInfinity), many = valid & at_least(n * p, kMany);
  const auto gap = [](RandomStream& stream, Carried given) {
    const Value time = stream.exponential(given[0].dims(), given[0].dtype());
    return hlo::unary(hlo::Opcode::Ceil, time / -log1p(-given[0]));
  };
  const Value by_gaps = counted(state, valid & ~many, n, {p}, gap);
  const Values safe = {select(many, n, fill_like(n, 100)), select(many, p, fill_like(p, 0.5))};
  const Value by_rejection =
      sampled(second_state(state), many, fill_like(n, 0), safe, draw_binomial);
  return select(many, by_rejection, by_gaps);
}

// --- gamma

// The logarithm of a gamma variate. Marsaglia and Tsang, "A simple method for generating gamma
// variables", 2000; shapes below 1 by way of the next one and a power of a uniform number.
Value log_gamma_sample(Value state, Value shape) {
  const Value raised = less(shape, 1), d = select(raised, shape + 1, shape) - 1.0 / 3;
  const Draw draw = [](RandomStream& stream, Value waiting, Value sample, Carried given) -> Round {
    const Value x = stream.normal(given[0].dims(), given[0].dtype());
    const Value root = x * rsqrt(given[0] * 9) + 1, v = root * root * root;
    const Value height = log(stream.open_uniform(x.dims(), x.dtype()));
    const Value limit = x * x * 0.5 + given[0] * (1 - v + log(v));
    const Value accepted = greater(root, 0) & less(height, limit);
    return {waiting & ~accepted, select(waiting & accepted, log(given[0] * v), sample)};
  };
  RandomStream stream(state);
  const Value exponent = log(stream.open_uniform(shape.dims(), shape.dtype())) / shape;
  const Value valid = greater(shape, 0) & less(shape, kInfinity);
  const Value zero = fill_like(shape, 0);
  const Value start = select(at_most(shape, zero), fill_like(shape, -kInfinity), shape);
  const Value sample = sampled(stream.state(), valid, start, {d}, draw);
  return select(raised & valid, sample + exponent, sample);
}

// --- categories

void check_multinomial(const hlo::Type& p, int64_t samples, bool replacement) {
  if (p.rank() != 1 && p.rank() != 2) fail("prob_dist must be 1 or 2 dim, got {}", to_string(p));
  if (!hlo::is_floating(p.dtype))
    fail("multinomial only supports floating-point dtypes for input, got {}", to_string(p));
  if (samples <= 0) fail("cannot sample n_sample <= 0 samples, got {}", samples);
  if (!replacement && samples > p.dims.back()) {
    fail("cannot sample n_sample > prob_dist.size(-1) samples without replacement, got {} of {}",
         samples, p.dims.back());
  }
}

// The categories that come first in a race of exponential times of these rates (Efraimidis and
// Spirakis, "Weighted random sampling with a reservoir", 2006).
Value without_replacement(RandomStream& stream, Value p, int64_t samples) {
  return hlo::top_k(p / stream.exponential(p.dims(), p.dtype()), samples).index;
}

// By the inverse of the distribution function. Rounding must not reach beyond the last category
// that has a probability, where the running sum becomes the total.
Value with_replacement(RandomStream& stream, Value p, int64_t samples) {
  const int64_t dim = p.rank() - 1, categories = p.dim(dim);
  const Value sums = running_sum(p, dim);
  const Value total = hlo::slice_dim(sums, dim, categories - 1, categories);
  Dims wanted = p.dims();
  wanted.back() = samples;
  const Value place = stream.uniform(wanted, p.dtype()) * hlo::broadcast_to(total, wanted);
  const Value found = insertion_points(sums, place, /*right=*/true);
  const Value last = insertion_points(sums, total, /*right=*/false);
  return minimum(hlo::convert(found, DType::I64),
                 hlo::broadcast_to(hlo::convert(last, DType::I64), wanted));
}

}  // namespace

// Probabilities that the host would refuse, negative ones or none above 0, give categories without
// meaning.
Results multinomial(Lowering& l) {
  const int64_t samples = l.integer("num_samples");
  const bool replacement = l.flag("replacement");
  check_multinomial(l.type("self"), samples, replacement);
  const Value p = to_compute_type(l.tensor("self"));
  RandomStream stream(l.random_state());
  if (p.type().elements() == 0) {
    Dims dims = p.dims();
    dims.back() = samples;
    return hlo::constant(l.graph(), {DType::I64, std::move(dims)}, 0);
  }
  return hlo::convert(
      replacement ? with_replacement(stream, p, samples) : without_replacement(stream, p, samples),
      DType::I64);
}

// Small rates by counting arrivals (Knuth, "The art of computer programming", volume 2, 3.4.1). NaN
// for a rate that is negative or NaN, where the host would refuse.
Results poisson(Lowering& l) {
  constexpr double kMany = 10;
  const Value self = floating_tensor(l, "self"), state = l.random_state();
  return computed(self, [&](Value rate) {
    const Value valid = at_least(rate, 0) & less(rate, kInfinity);
    const Value many = valid & at_least(rate, kMany), zero = fill_like(rate, 0);
    const auto gap = [&](RandomStream& stream, Carried) {
      return stream.exponential(rate.dims(), rate.dtype());
    };
    const Value by_arrivals = counted(state, valid & ~many, rate, {}, gap);
    const Value safe_rate = select(many, rate, fill_like(rate, kMany));
    const Value by_rejection = sampled(second_state(state), many, zero, {safe_rate}, draw_poisson);
    const Value invalid = select(at_least(rate, 0), rate, fill_like(rate, kNan));
    return select(valid, select(many, by_rejection, by_arrivals), invalid);
  });
}

// NaN where an operand is.
Results binomial(Lowering& l) {
  const Value count = floating_tensor(l, "count"), prob = floating_tensor(l, "prob");
  if (count.dtype() != prob.dtype())
    fail("found dtype {} but expected {}", hlo::name(prob.dtype()), hlo::name(count.dtype()));
  const Dims shape = hlo::broadcast_dims(count.dims(), prob.dims());
  const Value state = l.random_state();
  const auto draw = [&](Value n, Value p) {
    const Value mirrored = greater(p, 0.5), zero = fill_like(n, 0);
    const Value rarer = select(mirrored, 1 - p, p), trials = maximum(n, zero);
    const Value successes = few_or_many_successes(state, trials, maximum(rarer, zero));
    const Value result = select(mirrored, trials - successes, successes);
    return select(hlo::is_nan(n) | hlo::is_nan(p), fill_like(n, kNan), result);
  };
  return computed(hlo::broadcast_to(count, shape), hlo::broadcast_to(prob, shape), draw);
}

// At least the smallest normal number, as in ATen.
Results standard_gamma(Lowering& l) {
  const Value self = floating_tensor(l, "self"), state = l.random_state();
  return computed(self, [&](Value shape) {
    const double smallest = shape.dtype() == DType::F64 ? std::numeric_limits<double>::min()
                                                        : std::numeric_limits<float>::min();
    return maximum(exp(log_gamma_sample(state, shape)), fill_like(shape, smallest));
  });
}

// Gamma variates over their sum. By logarithms, so that small shapes do not end at 0 / 0.
Results sample_dirichlet(Lowering& l) {
  const Value self = floating_tensor(l, "self"), state = l.random_state();
  if (self.type().elements() == 0) return self;
  return computed(self, [&](Value shape) {
    const Dims last = {shape.rank() - 1};
    const Value sample = log_gamma_sample(state, shape);
    const Value peak = stretch(reduce_max(sample, last), sample.dims(), last);
    const Value weight = exp(sample - peak);
    return weight / stretch(reduce_sum(weight, last), sample.dims(), last);
  });
}

}  // namespace ippatsu::ops
