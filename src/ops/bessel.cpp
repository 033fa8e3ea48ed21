// Bessel functions of order 0 and 1, and Airy's. Each has a series near the origin and another one
// beyond, in which the exponential or the oscillation is a factor of its own (Digital Library of
// Mathematical Functions, chapters 9 and 10).

#include <cmath>
#include <functional>
#include <numbers>

#include "ops/chebyshev.h"
#include "ops/comparisons.h"
#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;
using hlo::Opcode;

constexpr double kPi = std::numbers::pi;
constexpr Real kLongPi = std::numbers::pi_v<Real>;

Value cosine(Value x) { return hlo::unary(Opcode::Cosine, x); }
Value sine(Value x) { return hlo::unary(Opcode::Sine, x); }

// The function of the only operand, `name`, as a formula; integers become floats.
template <Value (*formula)(Value), bool named_x = false>
Results function(Lowering& l) {
  constexpr const char* kName = named_x ? "x" : "self";
  return computed(l.tensor(kName, l.result_type({kName}, Promotion::FloatIfInteger)), formula);
}

// --- modified: I and K

// sum a_k(order) / x^k, Hankel's expansion (10.40.1 and .2), until its terms grow.
Real hankel(int order, Real x) {
  Real term = 1, sum = 1;
  for (int k = 1; k < 40; ++k) {
    const Real odd = 2 * k - 1;
    const Real next = term * (4 * order * order - odd * odd) / (8 * k * x);
    if (std::fabs(next) > std::fabs(term)) break;
    sum += term = next;
  }
  return sum;
}

// sqrt(x) e^-x I(x)
Real scaled_i_far(int order, Real x) {
  constexpr Real kExpandable = 30;
  return x < kExpandable ? std::sqrt(x) * std::exp(-x) * std::cyl_bessel_i(order, x)
                         : hankel(order, -x) / std::sqrt(2 * kLongPi);
}

// Functions of an odd order are r times a series in r^2.
template <int order>
Real parity_factor(Real r) {
  return order % 2 == 1 ? r : 1;
}

template <int order>
Value odd_times(Value x, Value y) {
  if constexpr (order % 2 == 1) return x * y;
  return y;
}

// y with the sign of x for an odd order.
template <int order>
Value with_parity(Value x, Value y) {
  if constexpr (order % 2 == 1) return select(less(x, 0), -y, y);
  return y;
}

// e^-|x| I(x)
template <int order>
Value scaled_i(Value x) {
  constexpr Real kNear = 8;
  static const ChebyshevSeries near(
      [](Real r) { return std::exp(-r) * std::cyl_bessel_i(order, r) / parity_factor<order>(r); },
      0, kNear);
  static const ChebyshevSeries far([](Real t) { return scaled_i_far(order, kNear / t); }, 0, 1);
  const Value r = hlo::abs(x);
  const Value beyond = far(double{kNear} / r) * rsqrt(r);
  const Value unsigned_value =
      select(greater(r, double{kNear}), beyond, odd_times<order>(r, near(r)));
  return with_parity<order>(x, unsigned_value);
}

template <int order>
Value bessel_i(Value x) {
  return exp(hlo::abs(x)) * scaled_i<order>(x);
}

// K(x) for x up to 2: log(x / 2) I(x) with the sign of the order, and what is left, a series in x^2
// (10.31.1), over x for order 1.
template <int order>
Value k_near(Value x) {
  constexpr Real kSign = order == 0 ? -1 : 1;
  static const ChebyshevSeries i_series(
      [](Real y) {
        return std::cyl_bessel_i(order, std::sqrt(y)) / parity_factor<order>(std::sqrt(y));
      },
      0, 4);
  static const ChebyshevSeries rest(
      [](Real y) {
        const Real r = std::sqrt(y), i = std::cyl_bessel_i(order, r);
        return parity_factor<order>(r) *
               (std::cyl_bessel_k(order, r) - kSign * std::log(r / 2) * i);
      },
      0, 4);
  const Value y = x * x, logarithmic = log(x * 0.5) * odd_times<order>(x, i_series(y));
  return order == 0 ? rest(y) - logarithmic : rest(y) / x + logarithmic;
}

// K(x), or e^x K(x) if scaled. K has a pole at 0 and no real values below.
template <int order, bool scaled>
Value bessel_k(Value x) {
  constexpr Real kNear = 2;
  static const ChebyshevSeries far(
      [](Real t) {
        const Real r = kNear / t;
        return r < 1000 ? std::sqrt(r) * std::exp(r) * std::cyl_bessel_k(order, r)
                        : hankel(order, r) * std::sqrt(kLongPi / 2);
      },
      0, 1);
  const Value near = k_near<order>(x), beyond = far(double{kNear} / x) * rsqrt(x);
  const Value value = scaled ? select(greater(x, double{kNear}), beyond, near * exp(x))
                             : select(greater(x, double{kNear}), beyond * exp(-x), near);
  return select(equals(x, 0), fill_like(x, kInfinity), value);
}

// --- J and Y

// Beyond some z, functions of Bessel's kind are p cos - q sin (the first kind) and p sin + q cos
// (the second) of a phase, times a power; p and z q are smooth in (first / z)^2.
struct Oscillation {
  using Function = std::function<Real(Real)>;

  // Solved for p and q from values of both kinds, the power divided out.
  Oscillation(Real first, Real phase_shift, const Function& first_kind, const Function& second_kind)
      : first(static_cast<double>(first)),
        in_phase(
            [=](Real t) {
              const Real z = first / std::sqrt(t), phase = z - phase_shift;
              return first_kind(z) * std::cos(phase) + second_kind(z) * std::sin(phase);
            },
            0, 1),
        quadrature(
            [=](Real t) {
              const Real z = first / std::sqrt(t), phase = z - phase_shift;
              return z * (second_kind(z) * std::cos(phase) - first_kind(z) * std::sin(phase));
            },
            0, 1) {}

  Value p(Value z) const { return in_phase(squared_ratio(z)); }
  Value q(Value z) const { return quadrature(squared_ratio(z)) / z; }
  Value squared_ratio(Value z) const { return (first / z) * (first / z); }

  double first;
  ChebyshevSeries in_phase, quadrature;
};

// The cosine and sine of x - (order / 2 + 1/4) pi. Not subtracting keeps the digits of a large x.
struct Phase {
  Value cosine, sine;
};
template <int order>
Phase phase_of(Value x) {
  const Value c = cosine(x), s = sine(x);
  const Value sum = (c + s) * (1 / std::numbers::sqrt2),
              difference = (s - c) * (1 / std::numbers::sqrt2);
  return order == 0 ? Phase{sum, difference} : Phase{difference, -sum};
}

constexpr Real kFarBessel = 8;

template <int order>
const Oscillation& oscillation() {
  const auto power = [](Real x) { return std::sqrt(kLongPi * x / 2); };
  static const Oscillation shape(
      kFarBessel, (order / 2.0L + 0.25L) * kLongPi,
      [=](Real x) { return power(x) * std::cyl_bessel_j(order, x); },
      [=](Real x) { return power(x) * std::cyl_neumann(order, x); });
  return shape;
}

Value envelope(Value x) { return rsqrt(x) * std::sqrt(2 / kPi); }

// J(x) near the origin: x^order times a series in x^2.
template <int order>
Value j_near(Value x) {
  static const ChebyshevSeries series(
      [](Real y) {
        return std::cyl_bessel_j(order, std::sqrt(y)) / parity_factor<order>(std::sqrt(y));
      },
      0, kFarBessel * kFarBessel);
  return odd_times<order>(x, series(x * x));
}

template <int order>
Value bessel_j(Value x) {
  const Value r = hlo::abs(x);
  const auto [c, s] = phase_of<order>(r);
  const Oscillation& shape = oscillation<order>();
  const Value far = envelope(r) * (shape.p(r) * c - shape.q(r) * s);
  return select(greater(r, shape.first), with_parity<order>(x, far), j_near<order>(x));
}

// Y(x) = 2/pi (log(x) J(x) - [order 1: 1/x]) and a series like that of J (10.8.1).
template <int order>
Value y_near(Value x) {
  static const ChebyshevSeries rest(
      [](Real y) {
        const Real r = std::sqrt(y), pole = order == 0 ? 0 : 1 / r;
        const Real singular = std::log(r) * std::cyl_bessel_j(order, r) - pole;
        return (std::cyl_neumann(order, r) - 2 / kLongPi * singular) / parity_factor<order>(r);
      },
      0, kFarBessel * kFarBessel);
  const Value logarithmic = log(x) * j_near<order>(x);
  const Value singular = order == 0 ? logarithmic : logarithmic - 1.0 / x;
  return singular * (2 / kPi) + odd_times<order>(x, rest(x * x));
}

template <int order>
Value bessel_y(Value x) {
  const auto [c, s] = phase_of<order>(x);
  const Oscillation& shape = oscillation<order>();
  const Value far = envelope(x) * (shape.p(x) * s + shape.q(x) * c);
  const Value value = select(greater(x, shape.first), far, y_near<order>(x));
  return select(equals(x, 0), fill_like(x, -kInfinity), value);
}

// sin(x) / x
Value spherical_j0(Value x) {
  const Value limit = select(equals(x, 0), fill_like(x, 1), sine(x) / x);
  return select(compare(Direction::Eq, hlo::abs(x), fill_like(x, kInfinity)), fill_like(x, 0),
                limit);
}

// --- Airy's Ai, by Bessel functions of order 1/3 (9.6.2 to 9.6.8)

constexpr Real kThird = 1 / 3.0L;

Real zeta_of(Real r) { return 2 * r * std::sqrt(r) / 3; }
Real radius_of(Real zeta) { return std::cbrt(9 * zeta * zeta / 4); }

struct AiryPair {
  Real ai, bi;
};
AiryPair airy_of_minus(Real r) {
  const Real j = std::cyl_bessel_j(kThird, zeta_of(r)), y = std::cyl_neumann(kThird, zeta_of(r));
  const Real j_minus = (j - std::sqrt(3.0L) * y) / 2;
  return {std::sqrt(r) / 3 * (j_minus + j), std::sqrt(r / 3) * (j_minus - j)};
}

Real airy(Real x) {
  if (x < 0) return airy_of_minus(-x).ai;
  return std::sqrt(x / 3) / kLongPi * std::cyl_bessel_k(kThird, zeta_of(x));
}

// Beyond x = 2: e^-zeta over 2 sqrt(pi) x^(1/4) (9.7.5).
Value airy_decay(Value x) {
  constexpr Real kFirst = 2;
  static const Real first_zeta = zeta_of(kFirst);
  static const ChebyshevSeries series(
      [](Real t) {
        const Real zeta = first_zeta / t, root = std::sqrt(std::sqrt(radius_of(zeta)));
        return airy(radius_of(zeta)) * std::exp(zeta) * root;
      },
      0, 1);
  const Value root = hlo::sqrt(x), zeta = x * root * (2.0 / 3);
  return exp(-zeta) * series(static_cast<double>(first_zeta) / zeta) * rsqrt(root);
}

// Beyond r = -x = 4: waves over sqrt(pi) r^(1/4) (9.7.9).
Value airy_waves(Value r) {
  const auto power = [](Real zeta) {
    return std::sqrt(kLongPi) * std::sqrt(std::sqrt(radius_of(zeta)));
  };
  static const Oscillation shape(
      zeta_of(4), kLongPi / 4,
      [=](Real zeta) { return power(zeta) * airy_of_minus(radius_of(zeta)).ai; },
      [=](Real zeta) { return -power(zeta) * airy_of_minus(radius_of(zeta)).bi; });
  const Value root = hlo::sqrt(r), zeta = r * root * (2.0 / 3);
  const auto [c, s] = phase_of<0>(zeta);
  return (shape.p(zeta) * c - shape.q(zeta) * s) * rsqrt(root) * (1 / std::sqrt(kPi));
}

Value airy_ai(Value x) {
  static const ChebyshevSeries middle(airy, -4, 2);
  const Value right = select(greater(x, 2), airy_decay(x), middle(x));
  const Value value = select(less(x, -4), airy_waves(-x), right);
  return select(hlo::unary(Opcode::IsFinite, x), value, fill_like(x, kNan));
}

constexpr OpRow kRows[] = {
    {"aten::i0", function<bessel_i<0>>},
    {"aten::special_i1", function<bessel_i<1>>},
    {"aten::special_i0e", function<scaled_i<0>>},
    {"aten::special_i1e", function<scaled_i<1>>},
    {"aten::special_modified_bessel_i0", function<bessel_i<0>>},
    {"aten::special_modified_bessel_i1", function<bessel_i<1>>},
    {"aten::special_modified_bessel_k0", function<bessel_k<0, false>>},
    {"aten::special_modified_bessel_k1", function<bessel_k<1, false>>},
    {"aten::special_scaled_modified_bessel_k0", function<bessel_k<0, true>, true>},
    {"aten::special_scaled_modified_bessel_k1", function<bessel_k<1, true>, true>},
    {"aten::special_bessel_j0", function<bessel_j<0>>},
    {"aten::special_bessel_j1", function<bessel_j<1>>},
    {"aten::special_bessel_y0", function<bessel_y<0>>},
    {"aten::special_bessel_y1", function<bessel_y<1>>},
    {"aten::special_spherical_bessel_j0", function<spherical_j0, true>},
    {"aten::special_airy_ai", function<airy_ai, true>},
};

}  // namespace

std::span<const OpRow> bessel_rows() { return kRows; }

}  // namespace ippatsu::ops
