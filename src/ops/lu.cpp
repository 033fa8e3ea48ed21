#include "ops/lu.h"

#include <algorithm>

#include "hlo/matrix.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// The size by which LAPACK chooses pivots.
Value pivot_size(Value x) {
  return hlo::is_complex(x.dtype()) ? hlo::abs(hlo::real(x)) + hlo::abs(hlo::imag(x)) : hlo::abs(x);
}

Value at_index(Value like, int64_t dim, Value index) {
  const Value place = hlo::iota(index.graph(), {DType::I64, like.dims()}, dim);
  const Value wanted = index.rank() == 0 ? hlo::broadcast_to(index, like.dims())
                                         : hlo::broadcast_in_dim(index, like.dims(), {0});
  return compare(Direction::Eq, place, wanted);
}

// How the places along `dim` compare with `index`, of rank 0.
Value where_place(Direction direction, Value like, int64_t dim, Value index) {
  const Value place = hlo::iota(index.graph(), {DType::I64, like.dims()}, dim);
  return compare(direction, place, hlo::broadcast_to(index, like.dims()));
}

// x, of size 1 where `like` is longer, in the shape of `like`.
Value everywhere(Value x, Value like) {
  return hlo::broadcast_in_dim(x, like.dims(), all_dims(like));
}

// x with the rows `k` and, in each matrix, `pivot` exchanged.
Value exchanged(Value x, Value k, Value pivot) {
  const int64_t batch = x.dim(0), width = hlo::columns(x);
  const Value zero = fill_like(k, 0);
  const Value upper = hlo::dynamic_slice(x, {zero, k, zero}, {batch, 1, width});
  const Value lower = hlo::permuted_rows(x, hlo::reshape(pivot, {batch, 1}));
  return select(at_index(x, 1, k), everywhere(lower, x),
                select(at_index(x, 1, pivot), everywhere(upper, x), x));
}

// Columns of [batch, m, n] that are being eliminated, from row `start` on. Pivots are rows, from 0
// on; `info` is the first row, from 1 on, that had none to offer.
struct Panel {
  Value columns, pivots, info;
};

// Row j of the greatest element in `column`, [batch, m, 1], from row `first` on.
Value greatest_from(Value column, Value first) {
  const Value size = hlo::reshape(pivot_size(column), {column.dim(0), column.dim(1)});
  const Value open = where_place(Direction::Ge, size, 1, first);
  return hlo::arg_max(select(open, size, fill_like(size, -1)), 1).index;
}

// Column j of the elimination with partial pivoting (Golub and Van Loan, "Matrix Computations",
// 3.4), whose pivot goes to `row`.
Panel eliminated_column(const Panel& panel, Value j, Value row) {
  const Value zero = fill_like(j, 0);
  const int64_t batch = panel.columns.dim(0);
  const auto column_j = [&](Value of) {
    return hlo::dynamic_slice(of, {zero, zero, j}, {batch, of.dim(1), 1});
  };
  const Value pivot = greatest_from(column_j(panel.columns), row);
  const Value x = exchanged(panel.columns, row, pivot);
  const Value pivot_row = hlo::dynamic_slice(x, {zero, row, zero}, {batch, 1, x.dim(2)});
  const Value divisor = column_j(pivot_row), column = column_j(x);
  const Value singular = compare(Direction::Eq, divisor, fill_like(divisor, 0));
  const Value safe = select(singular, fill_like(divisor, 1), divisor);
  const Value below = where_place(Direction::Gt, column, 1, row);
  const Value factors = hlo::only(below, column / everywhere(safe, column));

  const Value update = everywhere(factors, x) * everywhere(pivot_row, x);
  const Value rest = x - hlo::only(where_place(Direction::Gt, x, 2, j), update);
  const Value in_column = at_index(x, 2, j) & everywhere(below, x);
  const Value first = hlo::reshape(singular, {batch}) &
                      compare(Direction::Eq, panel.info, fill_like(panel.info, 0));
  return {select(in_column, everywhere(factors, x), rest),
          select(at_index(panel.pivots, 1, j),
                 hlo::broadcast_in_dim(pivot, panel.pivots.dims(), {0}), panel.pivots),
          select(first, hlo::broadcast_to(row, {batch}) + 1, panel.info)};
}

// The first `count` columns, from row `start` on; both known when the program runs.
Panel eliminated(const Panel& panel, Value start, Value count) {
  const auto more = [](std::span<const Value> state) -> Values {
    return {compare(Direction::Lt, state[0], state[2])};
  };
  const auto step = [](std::span<const Value> state) -> Values {
    const Value j = state[0], start = state[1];
    const Panel next = eliminated_column({state[3], state[4], state[5]}, j, start + j);
    return {j + 1, start, state[2], next.columns, next.pivots, next.info};
  };
  const Values done = hlo::while_loop(
      {fill_like(start, 0), start, count, panel.columns, panel.pivots, panel.info}, more, step);
  return {done[3], done[4], done[5]};
}

// The exchanges of rows start, start + 1 ... with `pivots` [batch, count], done to row numbers.
Value exchanged_order(Value pivots, int64_t rows, Value start, Value count) {
  const int64_t batch = pivots.dim(0);
  const Value own = hlo::iota(pivots.graph(), {DType::I64, {batch, rows, 1}}, 1);
  const auto more = [](std::span<const Value> state) -> Values {
    return {compare(Direction::Lt, state[0], state[2])};
  };
  const auto step = [&](std::span<const Value> state) -> Values {
    const Value j = state[0], start = state[1];
    const Value pivot = hlo::dynamic_slice(state[3], {fill_like(j, 0), j}, {batch, 1});
    return {j + 1, start, state[2], state[3],
            exchanged(state[4], start + j, hlo::reshape(pivot, {batch}))};
  };
  const Values done = hlo::while_loop({fill_like(start, 0), start, count, pivots, own}, more, step);
  return hlo::reshape(done[4], {batch, rows});
}

// Columns [start, start + width) eliminated, and with them, by one matrix product, all behind.
Panel eliminated_block(const Panel& whole, Value start, int64_t width, int64_t steps) {
  const Value x = whole.columns, zero = fill_like(start, 0);
  const int64_t batch = x.dim(0), rows = x.dim(1), columns = x.dim(2);
  const Value count = minimum(fill_like(start, width), static_cast<double>(steps) - start);
  const Panel panel =
      eliminated({hlo::dynamic_slice(x, {zero, zero, start}, {batch, rows, width}),
                  hlo::dynamic_slice(whole.pivots, {zero, start}, {batch, width}), whole.info},
                 start, count);
  const Value order = exchanged_order(panel.pivots, rows, start, count);
  const Value moved =
      hlo::dynamic_update_slice(hlo::permuted_rows(x, order), panel.columns, {zero, zero, start});

  const Value end = start + static_cast<double>(width);
  const Value head = hlo::dynamic_slice(panel.columns, {zero, start, zero}, {batch, width, width});
  const Value top = hlo::dynamic_slice(moved, {zero, start, zero}, {batch, width, columns});
  const Value behind = where_place(Direction::Ge, top, 2, end);
  const Value solved = hlo::only(
      behind, hlo::triangular_solve(head, hlo::only(behind, top), {.unit_diagonal = true}));
  const Value lower = hlo::only(where_place(Direction::Ge, panel.columns, 1, end), panel.columns);
  const Value with_top =
      hlo::dynamic_update_slice(moved, select(behind, solved, top), {zero, start, zero});
  return {with_top - hlo::matrix_product(lower, solved),
          hlo::dynamic_update_slice(whole.pivots, panel.pivots, {zero, start}), panel.info};
}

// A few columns at a time, so that most of the work is matrix products. Zeros make the last block
// as wide as the others.
Panel eliminated_in_blocks(Value a) {
  constexpr int64_t kWidth = 64;
  const int64_t batch = a.dim(0), rows = a.dim(1), columns = a.dim(2);
  const int64_t steps = std::min(rows, columns), blocks = (steps + kWidth - 1) / kWidth;
  const int64_t whole = blocks * kWidth;
  hlo::Graph& graph = a.graph();
  const auto step = [&](Value block, std::span<const Value> state) -> Values {
    const Panel next =
        eliminated_block({state[0], state[1], state[2]}, block * kWidth, kWidth, steps);
    return {next.columns, next.pivots, next.info};
  };
  const Values done = hlo::repeat(
      blocks,
      {hlo::padded(a, std::max(rows, whole), std::max(columns, whole)),
       hlo::zeros(graph, DType::I64, {batch, whole}), hlo::zeros(graph, DType::I64, {batch})},
      step);
  return {hlo::slice_columns(hlo::slice_rows(done[0], 0, rows), 0, columns),
          slice_dim(done[1], 1, 0, steps), done[2]};
}

Value index(hlo::Graph& graph, int64_t number) {
  return hlo::constant(graph, {DType::I64, {}}, number);
}

// Of [batch, m, n].
Panel eliminated(Value a) {
  constexpr int64_t kMostAtOnce = 64;
  const int64_t batch = a.dim(0), steps = std::min(a.dim(1), a.dim(2));
  if (steps > kMostAtOnce) return eliminated_in_blocks(a);
  hlo::Graph& graph = a.graph();
  const Panel panel{a, hlo::zeros(graph, DType::I64, {batch, steps}),
                    hlo::zeros(graph, DType::I64, {batch})};
  return eliminated(panel, index(graph, 0), index(graph, steps));
}

}  // namespace

Lu lu(Value a) {
  const Dims batch = hlo::batch_dims(a);
  const Dims steps = hlo::vector_dims(batch, std::min(hlo::rows(a), hlo::columns(a)));
  if (a.type().elements() == 0)
    return {a, hlo::zeros(a.graph(), DType::I32, steps), hlo::zeros(a.graph(), DType::I32, batch)};
  const Panel parts = eliminated(hlo::flattened(a));
  return {hlo::reshape(parts.columns, a.dims()),
          hlo::reshape(hlo::convert(parts.pivots + 1, DType::I32), steps),
          hlo::reshape(hlo::convert(parts.info, DType::I32), batch)};
}

Value row_order(Value pivots, int64_t rows) {
  Dims dims = pivots.dims();
  const int64_t steps = dims.back();
  dims.back() = rows;
  if (hlo::element_count(dims) == 0 || steps == 0)
    return hlo::iota(pivots.graph(), {DType::I64, dims}, static_cast<int64_t>(dims.size()) - 1);
  const Value from_zero = hlo::convert(pivots, DType::I64) - 1;
  const Value flat = hlo::reshape(from_zero, {from_zero.type().elements() / steps, steps});
  hlo::Graph& graph = pivots.graph();
  return hlo::reshape(exchanged_order(flat, rows, index(graph, 0), index(graph, steps)), dims);
}

}  // namespace ippatsu::ops
