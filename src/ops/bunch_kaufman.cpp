#include "ops/bunch_kaufman.h"

#include <cmath>

#include "hlo/matrix.h"
#include "ops/factorization.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// Each matrix of a batch [batch, n, n] is at a column of its own: these are about [batch, n]
// positions, [batch] indices, and rows and columns of matrices as [batch, n].

Value positions(Value like) {
  return hlo::iota(like.graph(), {DType::I64, {like.dim(0), like.dim(1)}}, 1);
}

Value over(Value index, Value like) { return hlo::broadcast_in_dim(index, like.dims(), {0}); }

Value is(Direction direction, Value position, Value index) {
  return compare(direction, position, over(index, position));
}

Value over_rows(Value vector, Value like) {
  return hlo::broadcast_in_dim(vector, like.dims(), {0, 1});
}

Value over_columns(Value vector, Value like) {
  return hlo::broadcast_in_dim(vector, like.dims(), {0, 2});
}

// Column `index` of each matrix, [batch, n].
Value column(Value x, Value index) {
  const Value row = hlo::permuted_rows(hlo::transposed(x), hlo::reshape(index, {x.dim(0), 1}));
  return hlo::reshape(row, {x.dim(0), x.dim(1)});
}

// Element `index` of each vector, [batch].
Value element(Value vector, Value index) {
  return reduce_sum(hlo::only(is(Direction::Eq, positions(vector), index), vector), {1});
}

// What LAPACK compares.
Value magnitude(Value x) {
  return hlo::is_complex(x.dtype()) ? hlo::abs(hlo::real(x)) + hlo::abs(hlo::imag(x)) : hlo::abs(x);
}

Value greatest(Value where, Value size) { return reduce_max(hlo::only(where, size), {1}); }

struct Choice {
  Value row;      // to be exchanged, i64[batch]
  Value is_pair;  // a block of two
  Value is_zero;  // nothing to divide by
};

// The pivot that keeps elements from growing (LAPACK's sytf2).
Choice choose(Value x, Value k) {
  const double alpha = (1 + std::sqrt(17.0)) / 8;
  const Value position = positions(x), size = magnitude(column(x, k));
  const Value after = is(Direction::Gt, position, k);
  const Value candidate = hlo::arg_max(select(after, size, fill_like(size, -1)), 1).index;
  const Value row = select(compare(Direction::Lt, candidate, k), k, candidate);
  const Value own = element(size, k), colmax = greatest(after, size);
  const Value other = magnitude(column(x, row));
  const Value rowmax =
      greatest(is(Direction::Ge, position, k) & is(Direction::Ne, position, row), other);
  const auto at_least = [](Value x, Value y) { return compare(Direction::Ge, x, y); };
  const Value safe =
      select(compare(Direction::Eq, rowmax, fill_like(rowmax, 0)), fill_like(rowmax, 1), rowmax);
  const Value is_zero = compare(Direction::Eq, maximum(own, colmax), fill_like(own, 0));
  const Value stays = is_zero | hlo::is_nan(own) | at_least(own, colmax * alpha) |
                      at_least(own, colmax * alpha * (colmax / safe));
  const Value single = stays | at_least(element(other, row), rowmax * alpha);
  return {select(stays, k, row), ~single, is_zero};
}

// Rows and columns `first` and `second` exchanged, of what is not done yet.
Value exchanged(Value x, Value k, Value first, Value second) {
  const Value position = positions(x);
  const Value order =
      select(is(Direction::Eq, position, first), over(second, position),
             select(is(Direction::Eq, position, second), over(first, position), position));
  const Value rows = hlo::transposed(hlo::permuted_rows(x, order));
  const Value both = hlo::transposed(hlo::permuted_rows(rows, order));
  const Value open = is(Direction::Ge, position, k);
  return select(over_rows(open, x) & over_columns(open, x), both, x);
}

// Two columns times the inverse of the block [[a, b*], [b, d]].
struct Block {
  Value a, b, b_adjoint, d;
};
std::pair<Value, Value> divided(Value first, Value second, const Block& block) {
  const Value size = hlo::abs(block.b), none = compare(Direction::Eq, size, fill_like(size, 0));
  const Value scale = hlo::convert(select(none, fill_like(size, 1), size), first.dtype());
  const Value a = block.a / scale, b = block.b / scale, d = block.d / scale;
  const Value c = block.b_adjoint / scale, factor = 1.0 / ((a * d - b * c) * scale);
  const auto times = [&](Value x, Value y) { return x * over(y, x); };
  return {times(first, d * factor) - times(second, b * factor),
          times(second, a * factor) - times(first, c * factor)};
}

struct Matrices {
  bool hermitian;

  Value adjoint(Value x) const { return hermitian ? hlo::conjugate(x) : x; }
  Value on_diagonal(Value x) const { return hermitian ? hlo::convert(hlo::real(x), x.dtype()) : x; }

  // One block of every matrix that has one left. State: matrices, pivots, info, columns done.
  Values eliminated(std::span<const Value> state) const;
};

Values Matrices::eliminated(std::span<const Value> state) const {
  const Value k = state[3], size = fill_like(k, state[0].dim(1));
  const Value open = compare(Direction::Lt, k, size);
  const Choice choice = choose(state[0], k);
  const Value next = select(choice.is_pair, k + 1, k), position = positions(state[0]);
  const Value x = exchanged(state[0], k, next, choice.row);

  const Value below = is(Direction::Gt, position, next);
  const Value pair = over(choice.is_pair, position);
  const Value first = column(x, k), second = hlo::only(pair, column(x, next));
  const Value one = fill_like(element(first, k), 1);
  const Value off = hlo::only(choice.is_pair, element(first, next));
  const Block block{select(choice.is_zero, one, on_diagonal(element(first, k))), off, adjoint(off),
                    select(choice.is_pair, on_diagonal(element(second, next)), one)};
  const Value lower = hlo::only(below, first), lower_second = hlo::only(below, second);
  const auto [factor, factor_second] = divided(lower, lower_second, block);

  const auto outer = [&](Value rows, Value columns) {
    return over_rows(rows, x) * over_columns(adjoint(columns), x);
  };
  const Value rest = x - outer(factor, lower) - outer(factor_second, lower_second);
  const auto in_column = [&](Value index) {
    return over_rows(below, x) & over_columns(is(Direction::Eq, position, index), x);
  };
  const Value with_second = select(in_column(next), over_rows(factor_second, x), rest);
  const Value is_pair_everywhere = hlo::broadcast_in_dim(choice.is_pair, x.dims(), {0});
  const Value done =
      select(in_column(k), over_rows(factor, x), select(is_pair_everywhere, with_second, rest));

  const Value number = select(choice.is_pair, -(choice.row + 1), choice.row + 1);
  const Value here = is(Direction::Eq, position, k) | is(Direction::Eq, position, next);
  const Value first_zero = choice.is_zero & compare(Direction::Eq, state[2], fill_like(k, 0));
  const Value everywhere = hlo::broadcast_in_dim(open, x.dims(), {0});
  return {select(everywhere, done, state[0]),
          select(here & over(open, position), over(number, position), state[1]),
          select(open & first_zero, k + 1, state[2]), select(open, next + 1, k)};
}

// The whole matrix that the lower triangle stands for.
Value from_lower(Value a, const Matrices& kind) {
  const Value below = hlo::only(hlo::where_row(Direction::Gt, a), a);
  const Value diagonal = hlo::only(hlo::where_row(Direction::Eq, a), kind.on_diagonal(a));
  return below + kind.adjoint(hlo::transposed(below)) + diagonal;
}

}  // namespace

BunchKaufman bunch_kaufman(Value a, bool hermitian) {
  const Dims batch = hlo::batch_dims(a);
  const Dims rows = hlo::vector_dims(batch, hlo::rows(a));
  if (a.type().elements() == 0)
    return {a, hlo::zeros(a.graph(), DType::I32, rows), hlo::zeros(a.graph(), DType::I32, batch)};
  const Matrices kind{hermitian && hlo::is_complex(a.dtype())};
  const Value flat = from_lower(hlo::flattened(a), kind);
  const int64_t count = flat.dim(0), size = flat.dim(1);
  const Value none = hlo::zeros(a.graph(), DType::I64, {count});
  const auto more = [&](std::span<const Value> state) -> Values {
    return {reduce_or(compare(Direction::Lt, state[3], fill_like(state[3], size)), {0})};
  };
  const Values done =
      hlo::while_loop({flat, hlo::zeros(a.graph(), DType::I64, {count, size}), none, none}, more,
                      [&](std::span<const Value> state) { return kind.eliminated(state); });
  return {hlo::reshape(hlo::lower_triangle(done[0]), a.dims()),
          hlo::reshape(hlo::convert(done[1], DType::I32), rows),
          hlo::reshape(hlo::convert(done[2], DType::I32), batch)};
}

namespace {

// Where pivots [batch, n] say that a block of two starts. Blocks stand in a row: the first, third
// ... of a run of negative numbers start one.
Value block_starts(Value pivots) {
  const Value negative = compare(Direction::Lt, pivots, fill_like(pivots, 0));
  const Value count = hlo::convert(negative, DType::I64);
  const int64_t batch = pivots.dim(0), size = pivots.dim(1);
  // How many negative numbers stand before each place: all of them come in pairs.
  const Dims square = {batch, size, size};
  const Value spread = hlo::broadcast_in_dim(count, square, {0, 2});
  const Value before = reduce_sum(hlo::only(hlo::where_row(Direction::Gt, spread), spread), {2});
  return negative &
         compare(Direction::Eq, remainder(before, fill_like(before, 2)), fill_like(before, 0));
}

// Each element where the next (the last: the one before) was; 0 comes in.
Value moved(Value x, int64_t step) {
  const Value zero = hlo::constant(x.graph(), {x.dtype(), {}}, 0);
  Dims low(static_cast<size_t>(x.rank()), 0), high = low;
  low[1] = step;
  high[1] = -step;
  return hlo::pad(x, zero, low, high);
}

// L alone, with the later exchanges done to its columns, which LAPACK leaves out, and the order
// that the exchanges bring the rows into.
struct Unpacked {
  Value lower;  // without its unit diagonal
  Value order;
};
Unpacked unpacked(Value factors, Value pivots, Value starts) {
  const int64_t batch = factors.dim(0), size = factors.dim(1);
  const Value in_block = hlo::where_row(Direction::Eq, factors, 1) & over_columns(starts, factors);
  const Value strict = hlo::where_row(Direction::Gt, factors) & ~in_block;
  const Value target = hlo::abs(pivots) - 1;
  const Value ends = hlo::convert(moved(hlo::convert(starts, DType::I32), 1), DType::Pred);
  // A block exchanges its second row.
  const Value own = positions(pivots);
  const Value partner = select(starts, own, target);
  const Value order = hlo::broadcast_in_dim(own, {batch, size, 1}, {0, 1});
  const Values done = hlo::repeat(
      size, {hlo::only(strict, factors), order, partner, hlo::convert(ends, DType::I64)},
      [&](Value k, std::span<const Value> state) -> Values {
        const Value zero = fill_like(k, 0);
        const auto at_k = [&](Value x) {
          return hlo::reshape(hlo::dynamic_slice(x, {zero, k}, {batch, 1}), {batch});
        };
        const Value pivot = at_k(state[2]), here = hlo::broadcast_to(k, {batch});
        const Value first = here - at_k(state[3]);  // the block's first column
        const Value position = positions(state[2]);
        const Value swap =
            select(is(Direction::Eq, position, here), over(pivot, position),
                   select(is(Direction::Eq, position, pivot), over(here, position), position));
        const Value rows = hlo::permuted_rows(state[0], swap);
        const Value earlier = over_columns(is(Direction::Lt, position, first), rows);
        return {select(earlier, rows, state[0]), hlo::permuted_rows(state[1], swap), state[2],
                state[3]};
      });
  return {done[0], hlo::reshape(done[1], {batch, size})};
}

// The x of D x = b.
Value divided_by_blocks(Value factors, Value starts, Value b, const Matrices& kind) {
  const Value diagonal = kind.on_diagonal(hlo::diagonal(factors));
  const Value second = hlo::convert(moved(hlo::convert(starts, DType::I32), 1), DType::Pred);
  const Value under_diagonal = hlo::only(hlo::where_row(Direction::Eq, factors, 1), factors);
  const Value off = hlo::only(starts, reduce_sum(under_diagonal, {1}));
  const auto along = [&](Value x) { return over_rows(x, b); };
  const Value one = fill_like(diagonal, 1), link = off + moved(off, 1);
  const Value scale = select(starts | second, hlo::convert(hlo::abs(link), b.dtype()), one);
  const Value other =
      select(starts, moved(diagonal, -1), select(second, moved(diagonal, 1), one)) / scale;
  const Value factor = one / (diagonal * other - link / scale * kind.adjoint(link));
  const Value neighbour = select(along(starts), moved(b, -1), moved(b, 1));
  const Value link_to_it = select(starts, kind.adjoint(link), link) / scale;
  return b * along(other * factor) - neighbour * along(link_to_it * factor);
}

}  // namespace

Value solve_bunch_kaufman(const BunchKaufman& parts, Value b, bool hermitian) {
  if (b.type().elements() == 0) return b;
  const Matrices kind{hermitian && hlo::is_complex(b.dtype())};
  const Value factors = hlo::flattened(parts.factors), right = hlo::flattened(b);
  const Value pivots =
      hlo::convert(hlo::reshape(parts.pivots, {factors.dim(0), factors.dim(1)}), DType::I64);
  const Value starts = block_starts(pivots);
  const auto [lower, order] = unpacked(factors, pivots, starts);
  using Transpose = hlo::TriangularSolve::Transpose;
  const Value first =
      hlo::triangular_solve(lower, hlo::permuted_rows(right, order), {.unit_diagonal = true});
  const Value second = divided_by_blocks(factors, starts, first, kind);
  const Value third = hlo::triangular_solve(
      lower, second,
      {.unit_diagonal = true,
       .transpose = kind.hermitian ? Transpose::Adjoint : Transpose::Transpose});
  const Value back = sort(order, {positions(order)}, 1, /*descending=*/false)[1];
  return hlo::reshape(hlo::permuted_rows(third, back), b.dims());
}

}  // namespace ippatsu::ops
