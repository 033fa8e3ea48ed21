// The singular value decomposition by one-sided Jacobi rotations (Hestenes, "Inversion of matrices
// by biorthogonalization and related results", 1958): columns are made orthogonal two by two until
// all of them are. Small singular values come out as exact as great ones, which the eigenvalues of
// A^H A would not give, and disjoint pairs turn at once, which suits an accelerator.

#include "ops/singular_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hlo/matrix.h"
#include "ops/factorization.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

struct Precision {
  double epsilon, least_normal;
};

template <typename Float>
constexpr Precision kPrecision{std::numeric_limits<Float>::epsilon(),
                               std::numeric_limits<Float>::min()};

Precision precision(DType dtype) {
  return hlo::real_part(dtype) == DType::F64 ? kPrecision<double> : kPrecision<float>;
}

// The cosine between two columns of that length that rounding errors excuse.
double excused(DType dtype, int64_t length) {
  return precision(dtype).epsilon * std::max(4.0, std::sqrt(static_cast<double>(length)));
}

// The columns of a batch of matrices, each lying as a row, in two halves: row i of `first` is
// paired with row i of `second`. Behind the `length` elements of a column stand those of the
// rotations so far.
struct Pairs {
  Value first, second;  // [batch, pairs, length + columns]
  int64_t length;
};

// Sums of products of columns, [batch, pairs].
Value inner_product(Value x, Value y) { return reduce_sum(hlo::conjugate(x) * y, {2}); }

Value along_columns(Value x, Value like) {
  return hlo::broadcast_in_dim(hlo::convert(x, like.dtype()), like.dims(), {0, 1});
}

struct Rotated {
  Value first, second;
  Value overlap;  // before it, the greatest cosine between two columns of a pair, of rank 0
};

// Which pairs are not orthogonal. Columns so short that their squares lose digits are left alone:
// the matrix's greatest element is 1.
Value wanting(Value alpha, Value beta, Value overlap, int64_t length) {
  const Precision type = precision(alpha.dtype());
  const Value limit = hlo::sqrt(alpha) * hlo::sqrt(beta) * excused(alpha.dtype(), length);
  const Value shorter = minimum(alpha, beta);
  return compare(Direction::Gt, overlap, limit) &
         compare(Direction::Gt, shorter, fill_like(shorter, type.least_normal / type.epsilon));
}

// The tangent of the angle that makes columns with the squared lengths alpha and beta orthogonal
// (Golub and Van Loan, "Matrix Computations", 8.6.3).
Value tangent_between(Value alpha, Value beta, Value overlap) {
  const Value zeta = (beta - alpha) / (2 * overlap), size = hlo::abs(zeta);
  const Value great =
      compare(Direction::Gt, size, fill_like(size, 1 / precision(size.dtype()).epsilon));
  const Value root = select(great, size, hlo::sqrt(1 + zeta * zeta));
  const Value negative = compare(Direction::Lt, zeta, fill_like(zeta, 0));
  return select(negative, fill_like(zeta, -1), fill_like(zeta, 1)) / (size + root);
}

// Makes the columns of each pair orthogonal. What a rotation adds is computed, not what it leaves:
// its errors are then as small as its angle (Rutishauser, "The Jacobi method for real symmetric
// matrices", 1966).
Rotated rotated(const Pairs& pairs) {
  const Value x = hlo::slice_columns(pairs.first, 0, pairs.length),
              y = hlo::slice_columns(pairs.second, 0, pairs.length);
  const Value alpha = hlo::real(inner_product(x, x)), beta = hlo::real(inner_product(y, y));
  const Value gamma = inner_product(x, y);
  const Value turns = wanting(alpha, beta, hlo::abs(gamma), pairs.length);
  const Value one = fill_like(alpha, 1);
  const Value size = select(turns, hlo::abs(gamma), one);
  const Value tangent = hlo::only(turns, tangent_between(alpha, beta, size));
  const Value cosine = rsqrt(1 + tangent * tangent), sine = cosine * tangent;
  const Value phase =
      select(turns, hlo::conjugate(gamma), fill_like(gamma, 1)) / hlo::convert(size, gamma.dtype());
  const Value first = pairs.first, second = pairs.second * along_columns(phase, pairs.second);
  const Value step = along_columns(sine, first), slope = along_columns(sine / (1 + cosine), first);
  const Value lengths = select(turns, hlo::sqrt(alpha) * hlo::sqrt(beta), one);
  return {first - step * (second + slope * first), second + step * (first - slope * second),
          reduce_max(hlo::only(turns, size / lengths), {0, 1})};
}

// The next pairs of a round-robin tournament: the first column keeps its place, the others move on
// by one around the table (Brent and Luk, "The solution of singular-value and symmetric eigenvalue
// problems on multiprocessor arrays", 1985).
Pairs next_pairs(Value first, Value second, int64_t length) {
  const int64_t count = first.dim(1);
  if (count == 1) return {first, second, length};
  const auto part = [](Value x, int64_t start, int64_t limit) {
    return slice_dim(x, 1, start, limit);
  };
  return {hlo::concatenate({part(first, 0, 1), part(second, 0, 1), part(first, 1, count - 1)}, 1),
          hlo::concatenate({part(second, 1, count), part(first, count - 1, count)}, 1), length};
}

// Rotations until no two columns overlap by more than rounding errors; a sweep meets every pair.
Pairs orthogonalized(const Pairs& pairs) {
  constexpr int kMostSweeps = 30;
  const int64_t length = pairs.length, rounds = 2 * pairs.first.dim(1) - 1;
  const DType part = hlo::real_part(pairs.first.dtype());
  hlo::Graph& graph = pairs.first.graph();
  const double enough = excused(part, length);
  const auto condition = [&](std::span<const Value> state) -> Values {
    const Value more = compare(Direction::Gt, state[1], fill_like(state[1], enough));
    return {more & compare(Direction::Lt, state[0], fill_like(state[0], kMostSweeps))};
  };
  const auto sweep = [&](std::span<const Value> state) -> Values {
    const Values rotations =
        hlo::repeat(rounds, {fill_like(state[1], 0), state[2], state[3]},
                    [&](Value, std::span<const Value> now) -> Values {
                      const Rotated next = rotated({now[1], now[2], length});
                      const Pairs pairs = next_pairs(next.first, next.second, length);
                      return {maximum(now[0], next.overlap), pairs.first, pairs.second};
                    });
    return {state[0] + 1, rotations[0], rotations[1], rotations[2]};
  };
  const Values done =
      hlo::while_loop({hlo::constant(graph, {DType::I32, {}}, 0),
                       hlo::constant(graph, {part, {}}, 1), pairs.first, pairs.second},
                      condition, sweep);
  return {done[2], done[3], length};
}

// The columns of square matrices [batch, n, n], made even in number by one of zeros, and the
// rotations, none so far.
Pairs paired_columns(Value a) {
  const int64_t size = hlo::columns(a), even = size + size % 2, half = even / 2;
  const Value columns = hlo::padded(hlo::transposed(a), even, size);
  const Value rotations = hlo::identity(a.graph(), {a.dtype(), {a.dim(0), even, even}});
  const Value both = hlo::concatenate({columns, rotations}, 2);
  return {hlo::slice_rows(both, 0, half), hlo::slice_rows(both, half, even), size};
}

// Where a column is 0, or its element at the diagonal is, 1.
Value phases(Value diagonal) {
  const Value size = hlo::abs(diagonal), none = compare(Direction::Eq, size, fill_like(size, 0));
  const Value divisor = hlo::convert(select(none, fill_like(size, 1), size), diagonal.dtype());
  return select(none, fill_like(diagonal, 1), diagonal / divisor);
}

Value column_lengths(Value columns) {
  return hlo::sqrt(hlo::real(inner_product(columns, columns)));
}

// All columns with their rotations, which hundreds of them have lengthened or shortened a little,
// and the columns as much.
Value with_unit_rotations(const Pairs& pairs) {
  const Value both = hlo::concatenate({pairs.first, pairs.second}, 1);
  const Value rotations = hlo::slice_columns(both, pairs.length, hlo::columns(both));
  return both / along_columns(column_lengths(rotations), both);
}

// Of square matrices [batch, n, n] with elements of about 1.
SingularValues decomposed(Value a) {
  const int64_t size = hlo::columns(a);
  const Value both = with_unit_rotations(orthogonalized(paired_columns(a)));
  const Value lengths = column_lengths(hlo::slice_columns(both, 0, size));
  const Value place = hlo::iota(a.graph(), {DType::I64, lengths.dims()}, 1);
  // A column of zeros that made the number even is the last of those: it stands last anyway.
  const Values order = sort(lengths, {place}, 1, /*descending=*/true);
  const Value best = hlo::permuted_rows(both, slice_dim(order[1], 1, 0, size));
  const Value v =
      hlo::slice_rows(hlo::transposed(hlo::slice_columns(best, size, hlo::columns(best))), 0, size);
  // They are orthogonal already: their QR factorization divides them by their lengths, and finds
  // columns in place of those that are 0.
  const ReducedQr parts = reduced_qr(hlo::transposed(hlo::slice_columns(best, 0, size)));
  const Value turn = phases(hlo::diagonal(parts.r));
  const Value u = parts.q * hlo::broadcast_in_dim(turn, parts.q.dims(), {0, 2});
  return {u, slice_dim(order[0], 1, 0, size), v};
}

// Of [batch, m, n] with m >= n >= 1 and elements of about 1. The triangle of a QR factorization
// takes the matrix's place; its adjoint needs the fewest rotations (Drmac and Veselic, "New fast
// and accurate Jacobi SVD algorithm", 2008). Small square matrices are quicker without.
SingularValues of_tall(Value a) {
  constexpr int64_t kSmall = 32;
  if (hlo::rows(a) == hlo::columns(a) && hlo::columns(a) <= kSmall) return decomposed(a);
  const ReducedQr parts = reduced_qr(a);
  const SingularValues inner = decomposed(hlo::adjoint(parts.r));
  return {hlo::matrix_product(parts.q, inner.v), inner.values, inner.u};
}

// Brought to a greatest element of 1 and back, so that no square leaves the range of the type.
SingularValues of_any_size(Value a) {
  const Value greatest = reduce_max(hlo::abs(a), {1, 2});
  const Value usable = compare(Direction::Gt, greatest, fill_like(greatest, 0)) &
                       hlo::unary(hlo::Opcode::IsFinite, greatest);
  const Value scale = select(usable, greatest, fill_like(greatest, 1));
  const Value divisor = hlo::broadcast_in_dim(hlo::convert(scale, a.dtype()), a.dims(), {0});
  const SingularValues parts = of_tall(a / divisor);
  return {parts.u, parts.values * hlo::broadcast_in_dim(scale, parts.values.dims(), {0}), parts.v};
}

}  // namespace

SingularValues singular_values(Value a) {
  const int64_t rows = hlo::rows(a), columns = hlo::columns(a), rank = std::min(rows, columns);
  const Dims batch = hlo::batch_dims(a);
  const Dims u = hlo::matrix_dims(batch, rows, rank), v = hlo::matrix_dims(batch, columns, rank);
  const Dims values = hlo::vector_dims(batch, rank);
  if (a.type().elements() == 0) {
    hlo::Graph& graph = a.graph();
    return {hlo::zeros(graph, a.dtype(), u), hlo::zeros(graph, hlo::real_part(a.dtype()), values),
            hlo::zeros(graph, a.dtype(), v)};
  }
  const Value flat = hlo::flattened(a);
  SingularValues parts = of_any_size(rows < columns ? hlo::adjoint(flat) : flat);
  if (rows < columns) std::swap(parts.u, parts.v);
  return {hlo::reshape(parts.u, u), hlo::reshape(parts.values, values), hlo::reshape(parts.v, v)};
}

}  // namespace ippatsu::ops
