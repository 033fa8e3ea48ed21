// Orthogonal polynomials of a degree that each element chooses. All rest on the recurrence in the
// degree (DLMF 18.9); those of Chebyshev have closed forms where it would be long (DLMF 18.5).

#include <limits>

#include "ops/comparisons.h"
#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;
using hlo::Opcode;

Value is_even(Value n) { return equals(remainder(n, fill_like(n, 2)), 0); }
Value cosine(Value x) { return hlo::unary(Opcode::Cosine, x); }
Value sine(Value x) { return hlo::unary(Opcode::Sine, x); }

struct Family {
  Value (*first)(Value x);                            // degree 1
  Value (*next)(Value x, Value k, Value q, Value p);  // degree k, from those of k - 1 and k - 2
};

// By the recurrence, up to each element's degree; once NaN, always NaN.
Value recurred(const Family& family, Value x, Value n) {
  const Value one = fill_like(x, 1), two = hlo::constant(x.graph(), {x.dtype(), {}}, 2);
  enum { kDegree, kLast, kBeforeLast, kX, kN };
  const auto is_short = [](std::span<const Value> s) {
    const Value k = hlo::broadcast_to(s[kDegree], s[kN].dims());
    return compare(Direction::Le, k, s[kN]) & ~hlo::is_nan(s[kLast]);
  };
  const auto condition = [&](std::span<const Value> s) -> Values {
    return {hlo::reduce_or(is_short(s), all_dims(s[kX]))};
  };
  const auto step = [&](std::span<const Value> s) -> Values {
    const Value k = hlo::broadcast_to(s[kDegree], s[kN].dims()), grows = is_short(s);
    const Value next = family.next(s[kX], k, s[kLast], s[kBeforeLast]);
    return {s[kDegree] + 1, select(grows, next, s[kLast]), select(grows, s[kLast], s[kBeforeLast]),
            s[kX], s[kN]};
  };
  return hlo::while_loop({two, family.first(x), one, x, n}, condition, step)[kLast];
}

// Where f32 stops counting by ones.
constexpr double kGreatestDegree = 0x1p24;

// The degree as a whole number, without what lies behind the point. NaN counts as negative.
Value whole_degree(Value n) {
  const Value cut = select(less(n, 0), hlo::unary(Opcode::Ceil, n), floor(n));
  const Value bounded = minimum(cut, fill_like(n, kGreatestDegree));
  return select(hlo::is_nan(n), fill_like(n, -1), bounded);
}

// 0 for a negative degree, 1 for degree 0.
Value from_degree_one(Value n, Value value) {
  const Value low = select(less(n, 0), fill_like(n, 0), fill_like(n, 1));
  return select(less(n, 1), low, value);
}

using Formula = Value (*)(Value x, Value n);

// The polynomial at x and n, in their common type.
template <Formula formula>
Results polynomial(Lowering& l) {
  const Values xn = l.promoted({"x", "n"}, Promotion::FloatIfInteger);
  return computed(xn[0], xn[1], [](Value x, Value degree) {
    const Value n = whole_degree(degree);
    return from_degree_one(n, formula(x, n));
  });
}

// --- Chebyshev's four kinds

Value chebyshev_next(Value x, Value, Value q, Value p) { return (x + x) * q - p; }

// One kind: its first degree, its value at x = 1 and x = -1 (but for the sign of odd degrees), and
// inside, at the angle t with cos(t) = x.
struct Kind {
  Value (*first)(Value x);
  Value (*at_one)(Value n);
  Value (*at_minus_one)(Value n);
  Value (*inside)(Value t, Value n);
};

constexpr Kind kFirstKind = {
    [](Value x) { return x; },
    [](Value n) { return fill_like(n, 1); },
    [](Value n) { return fill_like(n, 1); },
    [](Value t, Value n) { return cosine(n * t); },
};
constexpr Kind kSecondKind = {
    [](Value x) { return x + x; },
    [](Value n) { return n + 1; },
    [](Value n) { return n + 1; },
    [](Value t, Value n) { return sine((n + 1) * t) / sine(t); },
};
constexpr Kind kThirdKind = {
    [](Value x) { return x + x - 1; },
    [](Value n) { return fill_like(n, 1); },
    [](Value n) { return n + n + 1; },
    [](Value t, Value n) { return cosine((n + 0.5) * t) / cosine(t * 0.5); },
};
constexpr Kind kFourthKind = {
    [](Value x) { return x + x + 1; },
    [](Value n) { return n + n + 1; },
    [](Value n) { return fill_like(n, 1); },
    [](Value t, Value n) { return sine((n + 0.5) * t) / sine(t * 0.5); },
};

constexpr double kShortDegree = 6;

template <const Kind& kind>
Value chebyshev(Value x, Value n) {
  const Value r = hlo::abs(x), at_end = equals(r, 1), inside = less(r, 1);
  const Value closed = at_end | (inside & greater(n, kShortDegree));
  const Value open_degree = select(closed, fill_like(n, 1), n);
  const Value minus = kind.at_minus_one(n);
  const Value end = select(greater(x, 0), kind.at_one(n), select(is_even(n), minus, -minus));
  const Value angle = hlo::unary(Opcode::Acos, select(inside, x, fill_like(x, 0)));
  const Value value = recurred({kind.first, chebyshev_next}, x, open_degree);
  return select(closed, select(at_end, end, kind.inside(angle, n)), value);
}

template <const Kind& kind>
Value shifted_chebyshev(Value x, Value n) {
  return chebyshev<kind>(x + x - 1, n);
}

// --- Hermite, Laguerre, Legendre

// Degrees from here on are NaN, as in ATen, which holds that their values overflow.
double hermite_limit(DType dtype) { return dtype == DType::F64 ? 512 : 128; }

Value hermite(const Family& family, Value x, Value n) {
  const Value too_high = greater(n, hermite_limit(n.dtype()));
  const Value value = recurred(family, x, select(too_high, fill_like(n, 1), n));
  return select(too_high, fill_like(x, std::numeric_limits<double>::quiet_NaN()), value);
}

// Physicists' polynomials H.
Value hermite_h(Value x, Value n) {
  const auto next = [](Value y, Value k, Value q, Value p) {
    return (y + y) * q - (k + k - 2) * p;
  };
  return hermite({[](Value y) { return y + y; }, next}, x, n);
}

// Probabilists' polynomials He.
Value hermite_he(Value x, Value n) {
  const auto next = [](Value y, Value k, Value q, Value p) { return y * q - (k - 1) * p; };
  return hermite({[](Value y) { return y; }, next}, x, n);
}

Value laguerre(Value x, Value n) {
  const auto next = [](Value y, Value k, Value q, Value p) {
    return ((k + k - 1 - y) * q - (k - 1) * p) / k;
  };
  const Value at_zero = equals(x, 0);
  const Value value =
      recurred({[](Value y) { return 1 - y; }, next}, x, select(at_zero, fill_like(n, 1), n));
  return select(at_zero, fill_like(x, 1), value);
}

Value legendre(Value x, Value n) {
  const auto next = [](Value y, Value k, Value q, Value p) {
    return ((k + k - 1) * y * q - (k - 1) * p) / k;
  };
  const Value at_end = equals(hlo::abs(x), 1);
  const Value value =
      recurred({[](Value y) { return y; }, next}, x, select(at_end, fill_like(n, 1), n));
  return select(at_end & is_even(n), fill_like(x, 1), value);
}

constexpr OpRow kRows[] = {
    {"aten::special_chebyshev_polynomial_t", polynomial<chebyshev<kFirstKind>>},
    {"aten::special_chebyshev_polynomial_u", polynomial<chebyshev<kSecondKind>>},
    {"aten::special_chebyshev_polynomial_v", polynomial<chebyshev<kThirdKind>>},
    {"aten::special_chebyshev_polynomial_w", polynomial<chebyshev<kFourthKind>>},
    {"aten::special_shifted_chebyshev_polynomial_t", polynomial<shifted_chebyshev<kFirstKind>>},
    {"aten::special_shifted_chebyshev_polynomial_u", polynomial<shifted_chebyshev<kSecondKind>>},
    {"aten::special_shifted_chebyshev_polynomial_v", polynomial<shifted_chebyshev<kThirdKind>>},
    {"aten::special_shifted_chebyshev_polynomial_w", polynomial<shifted_chebyshev<kFourthKind>>},
    {"aten::special_hermite_polynomial_h", polynomial<hermite_h>},
    {"aten::special_hermite_polynomial_he", polynomial<hermite_he>},
    {"aten::special_laguerre_polynomial_l", polynomial<laguerre>},
    {"aten::special_legendre_polynomial_p", polynomial<legendre>},
};

}  // namespace

std::span<const OpRow> polynomial_rows() { return kRows; }

}  // namespace ippatsu::ops
