// The gamma function's relatives: polygamma, zeta, the incomplete gamma functions.

#include "ops/gamma.h"

#include <cmath>
#include <numbers>

#include "ops/chebyshev.h"
#include "ops/comparisons.h"
#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

Value is_whole(Value x) { return equals(x, floor(x)); }

double precision(Value x) { return x.dtype() == DType::F64 ? 0x1p-53 : 0x1p-24; }

// --- Hurwitz's zeta function, sum over k >= 0 of (q + k)^-s

// For q > 0: a few terms, and Euler's and Maclaurin's formula for the others (DLMF 25.11.5).
Value zeta_of_positive(Value s, Value q) {
  constexpr int kTerms = 10;
  constexpr double kBernoulli[] = {// B_2k / (2k)!
                                   1.0 / 12,          -1.0 / 720,
                                   1.0 / 30240,       -1.0 / 1209600,
                                   1.0 / 47900160,    -691.0 / 1307674368000,
                                   1.0 / 74724249600, -3617.0 / 10670622842880000};
  Value sum = fill_like(q, 0);
  for (int k = 0; k < kTerms; ++k) sum = sum + power(q + k, -s);
  const Value from = q + kTerms, reciprocal = 1.0 / from;
  const Value last = power(from, -s);
  sum = sum + last * from / (s - 1) + last * 0.5;
  Value factor = last * s * reciprocal;
  for (int k = 0; k < 8; ++k) {
    sum = sum + factor * kBernoulli[k];
    factor = factor * (s + (2 * k + 1)) * (s + (2 * k + 2)) * reciprocal * reciprocal;
  }
  return sum;
}

Value stacked(const Values& parts) {
  Values rows;
  for (const Value part : parts) {
    Dims dims = part.dims();
    dims.insert(dims.begin(), 1);
    rows.push_back(hlo::reshape(part, std::move(dims)));
  }
  return hlo::concatenate(rows, 0);
}

Value row_of(Value stack, int64_t row) {
  return hlo::reshape(hlo::slice_dim(stack, 0, row, row + 1),
                      Dims(stack.dims().begin() + 1, stack.dims().end()));
}

// Below 0, with m + f for q, the terms before the one at f are those of zeta(s, 1 - f) up to -q,
// but for their sign. So every series is one of positive numbers.
Value hurwitz_zeta(Value s, Value q) {
  const Value negative = less(q, 0), f = q - floor(q);
  const Value at = stacked({select(negative, f, q), 1 - f, 1 - q});
  const Value values = zeta_of_positive(stacked({s, s, s}), at);
  const Value even = is_whole(s * 0.5), before = row_of(values, 1) - row_of(values, 2);
  const Value mirrored = row_of(values, 0) + select(even, before, -before);
  Value result = select(negative, mirrored, row_of(values, 0));
  result = select(negative & ~is_whole(s), fill_like(q, kNan), result);
  result = select(at_most(q, 0) & is_whole(q), fill_like(q, kInfinity), result);
  result = select(less(s, 1), fill_like(q, kNan), result);
  return select(equals(s, 1), fill_like(q, kInfinity), result);
}

Results zeta_row(Lowering& l) {
  const Values sq = l.promoted({"self", "other"}, Promotion::FloatIfInteger);
  return computed(sq[0], sq[1], [](Value s, Value q) {
    return select(hlo::is_nan(s) | hlo::is_nan(q), s + q, hurwitz_zeta(s, q));
  });
}

// psi^(n)(x) = (-1)^(n + 1) n! zeta(n + 1, x)
Results polygamma(Lowering& l) {
  const int64_t n = l.integer("n");
  if (n < 0) fail("polygamma(n, x) does not support negative n, got {}", n);
  const Value self = l.tensor("self", l.result_type({"self"}, Promotion::FloatIfInteger));
  if (n == 0) {
    const Value at_pole = equals(self, 0);  // its sign is that of -x
    return select(at_pole, -1.0 / self, hlo::digamma(self));
  }
  const double factorial = std::tgamma(static_cast<double>(n) + 1);
  return computed(self, [&](Value x) {
    const Value series = hurwitz_zeta(fill_like(x, static_cast<double>(n) + 1), x);
    return series * fill_like(x, n % 2 == 0 ? -factorial : factorial);
  });
}

// The multivariate gamma function's logarithm:
// p (p - 1) / 4 log(pi) + sum over i < p of lgamma(x - i / 2).
Results mvlgamma(Lowering& l) {
  const int64_t p = l.integer("p");
  if (p < 1) fail("p has to be greater than or equal to 1, got {}", p);
  const Value self = l.tensor("self", l.result_type({"self"}, Promotion::FloatIfInteger));
  return computed(self, [&](Value x) {
    Dims dims = x.dims(), placement = all_dims(x);
    dims.push_back(p);
    const Value halves = hlo::iota(l.graph(), {x.dtype(), dims}, x.rank()) * 0.5;
    const Value terms = hlo::lgamma(hlo::broadcast_in_dim(x, dims, placement) - halves);
    const double offset =
        static_cast<double>(p) * static_cast<double>(p - 1) / 4 * std::log(std::numbers::pi);
    return hlo::reduce_sum(terms, {x.rank()}) + offset;
  });
}

// --- the incomplete gamma functions P and Q, and loops that refine every element until all rest

constexpr int64_t kMostRounds = 4096;

// Repeats `round` while `unsettled` of the state has a true element.
Values refined(const Values& state, const std::function<Value(std::span<const Value>)>& unsettled,
               const std::function<Values(Value round, std::span<const Value>)>& round) {
  Values carried = {hlo::constant(state[0].graph(), {state[0].dtype(), {}}, 0)};
  carried.insert(carried.end(), state.begin(), state.end());
  const auto condition = [&](std::span<const Value> args) -> Values {
    const Value any = unsettled(args.subspan(1));
    return {hlo::reduce_or(any, all_dims(any)) & less(args[0], static_cast<double>(kMostRounds))};
  };
  const auto body = [&](std::span<const Value> args) {
    Values next = round(args[0], args.subspan(1));
    next.insert(next.begin(), args[0] + 1);
    return next;
  };
  Values results = hlo::while_loop(carried, condition, body);
  results.erase(results.begin());
  return results;
}

Value spread(Value number, Value like) { return hlo::broadcast_to(number, like.dims()); }

// log Gamma(a + 1) less Stirling's (a + 1/2) log a - a + log(2 pi) / 2, for a >= 10 (DLMF 5.11.1).
Value stirling_rest(Value a) {
  const Value r = 1.0 / a, r2 = r * r;
  return r * (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 / 1188))));
}

// sum over n of x^n / ((a + 1) ... (a + n)): P(a, x) over the Poisson mass (DLMF 8.7.1). Good for x
// up to about a + 1.
Value lower_series(Value a, Value x, Value wanted) {
  const Value one = fill_like(x, 1), start = select(wanted, one, fill_like(x, 0));
  const auto unsettled = [](std::span<const Value> s) {
    return greater(s[0], s[1] * precision(s[1]));
  };
  const auto round = [](Value n, std::span<const Value> s) -> Values {
    const Value term = s[0] * s[3] / (s[2] + spread(n + 1, s[2]));
    return {term, s[1] + term, s[2], s[3]};
  };
  return refined({start, start, a, x}, unsettled, round)[1];
}

// A continued fraction h that Lentz's method refines (Lentz, "Generating Bessel functions in Mie
// scattering calculations using continued fractions", 1976), with its derivative by a. It is
// Q(a, x) over x^a e^-x / Gamma(a) (DLMF 8.9.2), good for x from about a + 1 on.
struct Fraction {
  Value h, slope;
};
Fraction upper_fraction(Value a, Value x, Value wanted) {
  const Value safe_a = select(wanted, a, fill_like(a, 1));
  const Value safe_x = select(wanted, x, fill_like(x, 3));
  const Value b = safe_x + 1 - safe_a, d = 1.0 / b;
  const Value far = fill_like(x, 1e30), zero = fill_like(x, 0);
  enum { kC, kCSlope, kD, kDSlope, kH, kHSlope, kFactor, kA, kX };
  const auto unsettled = [](std::span<const Value> s) {
    return greater(hlo::abs(s[kFactor] - 1), 4 * precision(s[kFactor]));
  };
  const auto round = [](Value index, std::span<const Value> s) -> Values {
    const Value a = s[kA], i = spread(index + 1, a);
    const Value numerator = i * (a - i), b = s[kX] + 1 - a + i * 2;  // slopes: i, -1
    const Value d = 1.0 / (numerator * s[kD] + b);
    const Value d_slope = -(i * s[kD] + numerator * s[kDSlope] - 1) * d * d;
    const Value c = b + numerator / s[kC];
    const Value c_slope = i / s[kC] - numerator / s[kC] * (s[kCSlope] / s[kC]) - 1;
    const Value factor = c * d, factor_slope = c_slope * d + c * d_slope;
    return {
        c,      c_slope, d,    d_slope, s[kH] * factor, s[kHSlope] * factor + s[kH] * factor_slope,
        factor, a,       s[kX]};
  };
  const Value restless = select(wanted, zero, fill_like(x, 1));
  const Values end =
      refined({far, zero, d, d * d, d, d * d, restless, safe_a, safe_x}, unsettled, round);
  return {end[kH], end[kHSlope]};
}

// Temme, "The asymptotic expansion of the incomplete gamma functions", 1979 (DLMF 8.12): for a
// large a, Q = erfc(eta sqrt(a / 2)) / 2 + e^(-a eta^2 / 2) / sqrt(2 pi a) sum c_k(eta) / a^k,
// where eta^2 / 2 = mu - log(1 + mu) and mu = x / a - 1.

Real mu_of(Real eta) {
  Real mu = eta;  // Newton's method on f(mu) = mu - log(1 + mu) - eta^2 / 2
  for (int i = 0; i < 60; ++i) {
    const Real slope = mu / (1 + mu);
    mu = std::max(mu - (mu - std::log1p(mu) - eta * eta / 2) / slope, (mu - 1) / 2);
  }
  return mu;
}

template <int k>
Real temme_coefficient(Real eta) {
  const Real m = 1 / mu_of(eta), e = 1 / eta;
  if constexpr (k == 0) return m - e;
  if constexpr (k == 1) return e * e * e - m * m * m - m * m - m / 12;
  return -3 * std::pow(e, 5.0L) + 3 * std::pow(m, 5.0L) + 5 * std::pow(m, 4.0L) +
         25 * m * m * m / 12 + m * m / 12 + m / 288;
}

Value upper_of_large(Value a, Value x) {
  static const ChebyshevSeries c0(temme_coefficient<0>, -1, 1), c1(temme_coefficient<1>, -1, 1),
      c2(temme_coefficient<2>, -1, 1);
  const Value mu = (x - a) / a, half_square = maximum(mu - log1p(mu), fill_like(mu, 0));
  const Value size = hlo::sqrt(half_square * 2), eta = select(less(mu, 0), -size, size);
  const Value near = hlo::bounded(eta, fill_like(eta, -1), fill_like(eta, 1));
  const Value sum = c0(near) + (c1(near) + c2(near) / a) / a;
  const Value correction = exp(-a * half_square) * rsqrt(a * (2 * std::numbers::pi)) * sum;
  return hlo::unary(hlo::Opcode::Erfc, eta * hlo::sqrt(a * 0.5)) * 0.5 + correction;
}

constexpr double kLarge = 1000;

struct Regularized {
  Value lower, upper;
};
Regularized incomplete_gamma(Value a, Value x) {
  const Value valid = greater(a, 0) & greater(x, 0) & less(a, kInfinity) & less(x, kInfinity);
  const Value large = valid & greater(a, kLarge), small = valid & ~large;
  const Value by_series = small & less(x, a + 1), by_fraction = small & ~less(x, a + 1);
  const Value mass = exp(log_poisson_mass(a, x));
  const Value lower = mass * lower_series(a, x, by_series);
  Value upper = select(large, upper_of_large(a, x), mass * a * upper_fraction(a, x, by_fraction).h);
  return {select(by_series, lower, 1 - upper), select(by_series, 1 - lower, upper)};
}

// The values at the ends of the domain: `at_most` for a = 0 or x = inf, where P is 1, and
// `at_least` for x = 0 or a = inf, where P is 0.
Value at_the_ends(Value a, Value x, Value inside, double at_most, double at_least) {
  Value value = select(equals(x, 0) | equals(a, kInfinity), fill_like(x, at_least), inside);
  value = select(equals(a, 0) | equals(x, kInfinity), fill_like(x, at_most), value);
  const Value undefined = less(a, 0) | less(x, 0) | hlo::is_nan(a) | hlo::is_nan(x) |
                          (equals(a, 0) & equals(x, 0)) |
                          (equals(a, kInfinity) & equals(x, kInfinity));
  return select(undefined, fill_like(x, kNan), value);
}

Values shape_and_argument(Lowering& l) {
  Values ax = l.promoted({"self", "other"});
  if (!hlo::is_floating(ax[0].dtype()))
    fail("the operands must be floating, got {}", to_string(ax[0].type()));
  return ax;
}

Results igamma(Lowering& l) {
  const Values ax = shape_and_argument(l);
  return computed(ax[0], ax[1], [](Value a, Value x) {
    return at_the_ends(a, x, incomplete_gamma(a, x).lower, 1, 0);
  });
}

Results igammac(Lowering& l) {
  const Values ax = shape_and_argument(l);
  return computed(ax[0], ax[1], [](Value a, Value x) {
    return at_the_ends(a, x, incomplete_gamma(a, x).upper, 0, 1);
  });
}

// --- how samples move with their distribution's shape

// d/da of sum over n of x^(n + 1) Gamma(a) / Gamma(a + n + 1) (psi(a + n + 1) - log x), which is
// the series of P, differentiated and over the density.
Value slope_by_series(Value a, Value x, Value wanted) {
  const Value zero = fill_like(x, 0);
  const Value term = select(wanted, x / a, zero);
  const Value offset = hlo::digamma(a) + 1.0 / a - log(x);
  enum { kTerm, kOffset, kSum, kA, kX };
  const auto unsettled = [](std::span<const Value> s) {
    return greater(s[kTerm] * (hlo::abs(s[kOffset]) + 1), hlo::abs(s[kSum]) * precision(s[kSum]));
  };
  const auto round = [](Value n, std::span<const Value> s) -> Values {
    const Value place = s[kA] + spread(n + 1, s[kA]);
    return {s[kTerm] * s[kX] / place, s[kOffset] + 1.0 / place, s[kSum] + s[kTerm] * s[kOffset],
            s[kA], s[kX]};
  };
  return refined({term, offset, zero, a, x}, unsettled, round)[kSum];
}

// Wilson and Hilferty, "The distribution of chi-square", 1931: the cube root of x / a is nearly
// normal, with mean 1 - 1 / (9 a) and variance 1 / (9 a).
Value slope_of_large(Value a, Value x) {
  const Value w = hlo::unary(hlo::Opcode::Cbrt, x / a), ninth = 1.0 / (a * 9);
  const Value w_slope = ninth / a - (w - 1 + ninth) * 0.5 / a;
  return w * w * (w + 3.0 * a * w_slope);
}

// A beta distribution's function F over y (1 - y) / p times its density, for shapes p and q, and
// how the logarithm of that moves with p or q (DLMF 8.17.8): sum over n of t_n, with t_0 = 1 and
// t_n = t_(n - 1) y (p + q + n - 1) / (p + n).
struct BetaSeries {
  Value sum, slope;
};
BetaSeries beta_series(Value y, Value p, Value total, Value by_p) {
  const Value one = fill_like(y, 1), zero = fill_like(y, 0);
  enum { kTerm, kLogSlope, kSum, kSlope, kY, kP, kTotal, kByP };
  const auto unsettled = [](std::span<const Value> s) {
    return greater(s[kTerm], s[kSum] * precision(s[kSum]));
  };
  const auto round = [](Value index, std::span<const Value> s) -> Values {
    const Value n = spread(index, s[kY]), above = s[kTotal] + n, below = s[kP] + n + 1;
    const Value term = s[kTerm] * s[kY] * above / below;
    const Value log_slope = s[kLogSlope] + 1.0 / above - s[kByP] / below;
    return {term,  log_slope, s[kSum] + term, s[kSlope] + term * log_slope,
            s[kY], s[kP],     s[kTotal],      s[kByP]};
  };
  const Values end = refined({one, zero, one, zero, y, p, total, by_p}, unsettled, round);
  return {end[kSum], end[kSlope]};
}

Results dirichlet_grad(Lowering& l) {
  const Values x = l.promoted({"x", "alpha", "total"});
  return computed(x[0], x[1], [&](Value place, Value a) {
    return beta_sample_slope(place, a, to_compute_type(x[2]) - a);
  });
}

Results standard_gamma_grad(Lowering& l) {
  const Values ax = l.promoted({"self", "output"});
  return computed(ax[0], ax[1], gamma_sample_slope);
}

}  // namespace

Value log_poisson_mass(Value a, Value x) {
  const Value plain = a * log(x) - x - hlo::lgamma(a + 1);
  const Value mu = (x - a) / a;
  const Value from_stirling =
      a * (log1p(mu) - mu) - log(a * (2 * std::numbers::pi)) * 0.5 - stirling_rest(a);
  return select(less(a, 10), plain, from_stirling);
}

Value gamma_sample_slope(Value a, Value x) {
  const Value valid = greater(a, 0) & greater(x, 0) & less(x, kInfinity);
  const Value large = valid & greater(a, kLarge), small = valid & ~large;
  const Value by_series = small & less(x, a + 1), by_fraction = small & ~less(x, a + 1);
  const Fraction fraction = upper_fraction(a, x, by_fraction);
  const Value beyond = x * ((log(x) - hlo::digamma(a)) * fraction.h + fraction.slope);
  const Value slope = select(by_series, slope_by_series(a, x, by_series), beyond);
  return select(large, slope_of_large(a, x), slope);
}

// From the nearer end, since the series wants y up to 1/2: I_x(a, b) = 1 - I_(1 - x)(b, a).
Value beta_sample_slope(Value x, Value a, Value b) {
  const Value low = less(x, 0.5), y = maximum(select(low, x, 1 - x), fill_like(x, 1e-37));
  const Value p = select(low, a, b), q = select(low, b, a);
  const auto [sum, slope] = beta_series(y, p, a + b, hlo::convert(low, x.dtype()));
  const Value by_p = log(y) - 1.0 / p - hlo::digamma(p), by_q = log1p(-y) - hlo::digamma(q);
  const Value moved = sum * (select(low, by_p, by_q) + hlo::digamma(a + b)) + slope;
  return select(low, -y, 1 - y) / p * moved;
}

std::span<const OpRow> gamma_rows() {
  static constexpr OpRow kRows[] = {
      {"aten::special_zeta", zeta_row},
      {"aten::polygamma", polygamma},
      {"aten::mvlgamma", mvlgamma},
      {"aten::igamma", igamma},
      {"aten::igammac", igammac},
      {"aten::_standard_gamma_grad", standard_gamma_grad},
      {"aten::_dirichlet_grad", dirichlet_grad},
  };
  return kRows;
}

}  // namespace ippatsu::ops
