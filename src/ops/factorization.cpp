// Factorizations of matrices: Cholesky, LU, QR, eigenvalues, singular values.

#include "ops/factorization.h"

#include <algorithm>

#include "base/error.h"
#include "ops/bunch_kaufman.h"
#include "ops/singular_values.h"
#include "ops/table.h"

namespace ippatsu::ops {

using hlo::Direction;

Value matrices(Lowering& l, std::string_view name) {
  const Value a = l.tensor(name);
  const DType part = hlo::real_part(a.dtype());
  if (a.rank() < 2 || (part != DType::F32 && part != DType::F64)) {
    fail("`{}` must hold matrices (at least 2 dimensions) of f32, f64 or complex numbers, got {}",
         name, to_string(a.type()));
  }
  return a;
}

Value square_matrices(Lowering& l, std::string_view name) {
  const Value a = matrices(l, name);
  if (hlo::rows(a) != hlo::columns(a))
    fail("`{}` must be batches of square matrices, got {}", name, to_string(a.type()));
  return a;
}

void leave_checks_to_host(Lowering& l) {
  if (l.flag("check_errors"))
    throw NoForm("whether to raise an error (check_errors) depends on the result");
}

namespace {

Value zeros(hlo::Graph& graph, DType dtype, Dims dims) {
  return hlo::constant(graph, {dtype, std::move(dims)}, 0);
}

// What stands for an output that was not asked for.
Value left_out(Value like) { return zeros(like.graph(), like.dtype(), {0}); }

Dims with_last(Dims dims, int64_t extent) {
  dims.push_back(extent);
  return dims;
}

Value flattened(Value a) {
  return hlo::reshape(a, {hlo::element_count(hlo::batch_dims(a)), hlo::rows(a), hlo::columns(a)});
}

// --- Cholesky

// For matrices [batch, n, n] that are not positive definite: the order of the first leading minor
// that is not. Nothing is computed where all of them are.
Value failing_minor(Value a, Value failed) {
  const int64_t size = hlo::rows(a);
  const Value none = hlo::constant(a.graph(), {DType::I64, failed.dims()}, 0);
  const auto open = [](Value failed, Value minor) {
    return failed & compare(Direction::Eq, minor, fill_like(minor, 0));
  };
  const auto condition = [&](std::span<const Value> state) -> Values {
    const Value rest = compare(Direction::Lt, state[0], fill_like(state[0], size));
    return {rest & reduce_or(open(state[2], state[3]), {0})};
  };
  const auto step = [&](std::span<const Value> state) -> Values {
    const Value k = state[0], rest = state[1], zero = fill_like(k, 0);
    const int64_t batch = rest.dim(0);
    const Value column = hlo::dynamic_slice(rest, {zero, zero, k}, {batch, size, 1});
    const Value pivot = hlo::dynamic_slice(column, {zero, k, zero}, {batch, 1, 1});
    const Value value = hlo::reshape(hlo::real(pivot), {batch});
    const Value bad =
        open(state[2], state[3]) & ~compare(Direction::Gt, value, fill_like(value, 0));
    const Value minor = select(bad, hlo::broadcast_to(k, {batch}) + 1, state[3]);
    const Value scaled = column / hlo::broadcast_in_dim(pivot, column.dims(), {0, 1, 2});
    return {k + 1, rest - hlo::matrix_product(scaled, hlo::adjoint(column)), state[2], minor};
  };
  const Values done = hlo::while_loop(
      {hlo::constant(a.graph(), {DType::I64, {}}, 0), a, failed, none}, condition, step);
  // Where rounding decides, the last minor it is.
  return select(open(failed, done[3]), fill_like(done[3], size), done[3]);
}

struct Cholesky {
  Value factor;
  Value info;  // i32[...]
};

// Of the matrix that its lower triangle stands for.
Cholesky lower_cholesky(Value a) {
  const Dims batch = hlo::batch_dims(a);
  if (a.type().elements() == 0) return {a, zeros(a.graph(), DType::I32, batch)};
  const Value flat = flattened(hlo::lower_triangle(a));
  const Value factor = hlo::lower_triangle(hlo::cholesky(flat, /*lower=*/true));
  const Value failed = reduce_or(hlo::is_nan(hlo::real(hlo::diagonal(factor))), {1});
  const Value info = hlo::convert(failing_minor(flat, failed), DType::I32);
  return {hlo::reshape(factor, a.dims()), hlo::reshape(info, batch)};
}

Cholesky cholesky(Lowering& l, Value a) {
  if (!l.flag("upper")) return lower_cholesky(a);
  const Cholesky lower = lower_cholesky(hlo::adjoint(a));
  return {hlo::adjoint(lower.factor), lower.info};
}

Results cholesky_ex(Lowering& l) {
  leave_checks_to_host(l);
  const Cholesky parts = cholesky(l, square_matrices(l, "self"));
  return {parts.factor, parts.info};
}

// NaN where a matrix is not positive definite: whether one is not, nobody has asked to read.
Results unchecked_cholesky(Lowering& l) { return cholesky(l, square_matrices(l, "self")).factor; }

// --- LU

// The size by which LAPACK chooses pivots.
Value pivot_size(Value x) {
  return hlo::is_complex(x.dtype()) ? hlo::abs(hlo::real(x)) + hlo::abs(hlo::imag(x)) : hlo::abs(x);
}

Value at_index(Value dims_like, int64_t dim, Value index) {
  const Value place = hlo::iota(index.graph(), {DType::I64, dims_like.dims()}, dim);
  return index.rank() == 0
             ? compare(Direction::Eq, place, hlo::broadcast_to(index, dims_like.dims()))
             : compare(Direction::Eq, place, hlo::broadcast_in_dim(index, dims_like.dims(), {0}));
}

// x with the rows `k` and, in each matrix, `pivot` exchanged.
Value exchanged(Value x, Value k, Value pivot) {
  const int64_t batch = x.dim(0), width = hlo::columns(x);
  const Value zero = fill_like(k, 0);
  const Value upper = hlo::dynamic_slice(x, {zero, k, zero}, {batch, 1, width});
  const Value lower = hlo::permuted_rows(x, hlo::reshape(pivot, {batch, 1}));
  const auto everywhere = [&](Value row) {
    return hlo::broadcast_in_dim(row, x.dims(), {0, 1, 2});
  };
  return select(at_index(x, 1, k), everywhere(lower),
                select(at_index(x, 1, pivot), everywhere(upper), x));
}

// One column of the elimination with partial pivoting (Golub and Van Loan, "Matrix Computations",
// 3.4). State: the matrices, the pivots, and the first step that met a pivot of 0, from 1 on.
Values eliminated(Value k, std::span<const Value> state) {
  const Value x = state[0], zero = fill_like(k, 0);
  const int64_t batch = x.dim(0), rows = x.dim(1);
  const auto column_at_k = [&](Value of) {
    return hlo::dynamic_slice(of, {zero, zero, k}, {batch, of.dim(1), 1});
  };
  const Value size = hlo::reshape(pivot_size(column_at_k(x)), {batch, rows});
  const Value row = hlo::iota(x.graph(), {DType::I64, size.dims()}, 1);
  const Value above = compare(Direction::Lt, row, hlo::broadcast_to(k, row.dims()));
  const Value pivot = hlo::arg_max(select(above, fill_like(size, -1), size), 1).index;

  const Value swapped = exchanged(x, k, pivot);
  const Value pivot_row = hlo::dynamic_slice(swapped, {zero, k, zero}, {batch, 1, x.dim(2)});
  const Value divisor = column_at_k(pivot_row);
  const Value singular = compare(Direction::Eq, divisor, fill_like(divisor, 0));
  const Value safe = select(singular, fill_like(divisor, 1), divisor);
  const Value below =
      compare(Direction::Gt, hlo::iota(x.graph(), {DType::I64, {batch, rows, 1}}, 1),
              hlo::broadcast_to(k, {batch, rows, 1}));
  const Value factors = hlo::only(
      below, column_at_k(swapped) / hlo::broadcast_in_dim(safe, {batch, rows, 1}, {0, 1, 2}));

  const Value column = hlo::iota(x.graph(), {DType::I64, x.dims()}, 2);
  const Value here = hlo::broadcast_to(k, x.dims());
  const Value update = hlo::broadcast_in_dim(factors, x.dims(), {0, 1, 2}) *
                       hlo::broadcast_in_dim(pivot_row, x.dims(), {0, 1, 2});
  const Value rest = swapped - hlo::only(compare(Direction::Gt, column, here), update);
  const Value in_column =
      compare(Direction::Eq, column, here) & hlo::broadcast_in_dim(below, x.dims(), {0, 1, 2});
  const Value next = select(in_column, hlo::broadcast_in_dim(factors, x.dims(), {0, 1, 2}), rest);

  const Value step = hlo::broadcast_to(k, {batch}) + 1;
  const Value first =
      hlo::reshape(singular, {batch}) & compare(Direction::Eq, state[2], fill_like(state[2], 0));
  return {next,
          select(at_index(state[1], 1, k), hlo::broadcast_in_dim(pivot, state[1].dims(), {0}),
                 state[1]),
          select(first, step, state[2])};
}

// Of [batch, m, n], in i64, pivots from 0 on.
Lu panel_lu(Value panel) {
  const int64_t batch = panel.dim(0), steps = std::min(panel.dim(1), panel.dim(2));
  const Values done = hlo::repeat(steps,
                                  {panel, zeros(panel.graph(), DType::I64, {batch, steps}),
                                   zeros(panel.graph(), DType::I64, {batch})},
                                  eliminated);
  return {done[0], done[1], done[2]};
}

// The exchanges in their order, done to the row numbers. [batch, k], from 0 on, to [batch, rows].
Value exchanged_order(Value pivots, int64_t rows) {
  const int64_t batch = pivots.dim(0);
  const Value start = hlo::iota(pivots.graph(), {DType::I64, {batch, rows, 1}}, 1);
  const Values done = hlo::repeat(
      pivots.dim(1), {start, pivots}, [&](Value k, std::span<const Value> state) -> Values {
        const Value pivot = hlo::dynamic_slice(state[1], {fill_like(k, 0), k}, {batch, 1});
        return {exchanged(state[0], k, hlo::reshape(pivot, {batch})), state[1]};
      });
  return hlo::reshape(done[0], {batch, rows});
}

// A few columns at a time, so that most of the work is a matrix product: the panel is factored, its
// exchanges are done to its left and right, and what is right of it is brought up to date.
Lu blocked_lu(Value a) {
  constexpr int64_t kWidth = 64, kMostPanels = 64;
  const int64_t rows = a.dim(1), columns = a.dim(2), steps = std::min(rows, columns);
  const int64_t width = std::max(kWidth, (steps + kMostPanels - 1) / kMostPanels);
  Value x = a, info = zeros(a.graph(), DType::I64, {a.dim(0)});
  Values pivots;
  for (int64_t start = 0; start < steps; start += width) {
    const int64_t end = std::min(start + width, steps);
    const Value top = hlo::slice_rows(x, 0, start), rest = hlo::slice_rows(x, start, rows);
    const Lu panel = panel_lu(hlo::slice_columns(rest, start, end));
    pivots.push_back(panel.pivots + static_cast<double>(start));
    const Value first = compare(Direction::Eq, info, fill_like(info, 0)) &
                        compare(Direction::Gt, panel.info, fill_like(info, 0));
    info = select(first, panel.info + static_cast<double>(start), info);
    if (start == 0 && end == columns) return {panel.factors, pivots[0], info};
    const Value moved = hlo::permuted_rows(rest, exchanged_order(panel.pivots, rows - start));
    Values parts = {hlo::slice_columns(moved, 0, start), panel.factors};
    if (end < columns) {
      const Value right = hlo::slice_columns(moved, end, columns);
      const Value head = hlo::slice_rows(panel.factors, 0, end - start);
      const Value solved = hlo::triangular_solve(head, hlo::slice_rows(right, 0, end - start),
                                                 {.unit_diagonal = true});
      const Value tail =
          hlo::slice_rows(right, end - start, rows - start) -
          hlo::matrix_product(hlo::slice_rows(panel.factors, end - start, rows - start), solved);
      parts.push_back(hlo::concatenate({solved, tail}, 1));
    }
    x = hlo::concatenate({top, hlo::concatenate(parts, 2)}, 1);
  }
  return {x, hlo::concatenate(pivots, 1), info};
}

}  // namespace

Lu lu(Value a) {
  const Dims batch = hlo::batch_dims(a);
  const Dims steps = with_last(batch, std::min(hlo::rows(a), hlo::columns(a)));
  if (a.type().elements() == 0)
    return {a, zeros(a.graph(), DType::I32, steps), zeros(a.graph(), DType::I32, batch)};
  const Lu parts = blocked_lu(flattened(a));
  return {hlo::reshape(parts.factors, a.dims()),
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
  return hlo::reshape(exchanged_order(flat, rows), dims);
}

namespace {

Results lu_factor_ex(Lowering& l) {
  leave_checks_to_host(l);
  if (!l.flag("pivot")) fail("LU without pivoting is not implemented");
  const Lu parts = lu(matrices(l, "A"));
  return {parts.factors, parts.pivots, parts.info};
}

Value permutation_matrix(const Lu& parts) {
  const int64_t rows = hlo::rows(parts.factors);
  const Value order = row_order(parts.pivots, rows);
  const Dims dims = hlo::matrix_dims(hlo::batch_dims(parts.factors), rows, rows);
  const int64_t last = static_cast<int64_t>(dims.size()) - 1;
  Dims placement = all_dims(order);
  placement.back() = last;
  const Value row = hlo::iota(order.graph(), {DType::I64, dims}, last - 1);
  const Value wanted = hlo::broadcast_in_dim(order, dims, std::move(placement));
  return hlo::convert(compare(Direction::Eq, row, wanted), parts.factors.dtype());
}

Value unit_lower(Value factors) {
  const Value square =
      hlo::slice_columns(factors, 0, std::min(hlo::rows(factors), hlo::columns(factors)));
  return hlo::only(hlo::where_row(Direction::Gt, square), square) +
         hlo::identity(square.graph(), square.type());
}

Value upper(Value factors) {
  return hlo::upper_triangle(
      hlo::slice_rows(factors, 0, std::min(hlo::rows(factors), hlo::columns(factors))));
}

Results linalg_lu(Lowering& l) {
  if (!l.flag("pivot")) fail("LU without pivoting is not implemented");
  const Lu parts = lu(matrices(l, "A"));
  return {permutation_matrix(parts), unit_lower(parts.factors), upper(parts.factors)};
}

Results lu_unpack(Lowering& l) {
  const Value factors = matrices(l, "LU_data"), none = left_out(factors);
  const bool data = l.flag("unpack_data"), order = l.flag("unpack_pivots");
  if (order && l.type("LU_pivots").dtype != DType::I32)
    fail("`LU_pivots` must hold i32, got {}", to_string(l.type("LU_pivots")));
  return {order ? permutation_matrix({factors, l.tensor("LU_pivots"), {}}) : none,
          data ? unit_lower(factors) : none, data ? upper(factors) : none};
}

// --- QR

hlo::Qr reflections(Value a) {
  const int64_t rank = std::min(hlo::rows(a), hlo::columns(a));
  if (a.type().elements() != 0) return hlo::qr(a);
  return {a, zeros(a.graph(), a.dtype(), with_last(hlo::batch_dims(a), rank))};
}

}  // namespace

Value orthogonal(const hlo::Qr& parts, int64_t columns) {
  const Value& a = parts.reflectors;
  const int64_t rows = hlo::rows(a);
  const Dims dims = hlo::matrix_dims(hlo::batch_dims(a), rows, columns);
  if (hlo::element_count(dims) == 0) return zeros(a.graph(), a.dtype(), dims);
  if (parts.factors.type().elements() == 0) return hlo::identity(a.graph(), {a.dtype(), dims});
  const Value kept = hlo::slice_columns(a, 0, std::min(columns, hlo::columns(a)));
  return hlo::householder_product(hlo::padded(kept, rows, columns), parts.factors);
}

ReducedQr reduced_qr(Value a) {
  const int64_t rank = std::min(hlo::rows(a), hlo::columns(a));
  const hlo::Qr parts = reflections(a);
  return {orthogonal(parts, rank), upper(parts.reflectors)};
}

namespace {

Results geqrf(Lowering& l) {
  const hlo::Qr parts = reflections(matrices(l, "self"));
  return {parts.reflectors, parts.factors};
}

Results linalg_qr(Lowering& l) {
  const Value a = matrices(l, "A");
  const std::string_view mode = l.text("mode");
  if (mode != "reduced" && mode != "complete" && mode != "r")
    fail("`mode` is one of reduced, complete and r, got {}", mode);
  const hlo::Qr parts = reflections(a);
  const int64_t rows = hlo::rows(a), rank = std::min(rows, hlo::columns(a));
  if (mode == "complete") return {orthogonal(parts, rows), hlo::upper_triangle(parts.reflectors)};
  return {mode == "r" ? left_out(a) : orthogonal(parts, rank), upper(parts.reflectors)};
}

// Reflectors and their factors, which must match.
hlo::Qr given_reflections(Lowering& l, std::string_view reflectors, std::string_view factors) {
  const hlo::Qr parts{matrices(l, reflectors), l.tensor(factors)};
  const Dims batch = hlo::batch_dims(parts.reflectors);
  const bool matching =
      parts.factors.dtype() == parts.reflectors.dtype() &&
      parts.factors.dims() ==
          with_last(batch, parts.factors.rank() == 0 ? 0 : parts.factors.dims().back());
  if (!matching || parts.factors.dims().back() > hlo::columns(parts.reflectors))
    fail("`{}` must hold a factor for at most each column of `{}`, got {} and {}", factors,
         reflectors, to_string(parts.factors.type()), to_string(parts.reflectors.type()));
  return parts;
}

Results householder_product(Lowering& l) {
  const hlo::Qr parts = given_reflections(l, "input", "tau");
  const int64_t columns = hlo::columns(parts.reflectors);
  if (hlo::rows(parts.reflectors) < columns)
    fail("`input` must have at least as many rows as columns, got {}",
         to_string(parts.reflectors.type()));
  return orthogonal(parts, columns);
}

Results ormqr(Lowering& l) {
  const hlo::Qr parts = given_reflections(l, "self", "input2");
  const Value other = matrices(l, "input3");
  const bool left = l.flag("left");
  const int64_t size = left ? hlo::rows(other) : hlo::columns(other);
  if (parts.factors.dims().back() != std::min(size, hlo::columns(parts.reflectors)))
    fail("`input2` (tau) must hold a factor for each column of {}, got {}",
         to_string(parts.reflectors.type()), to_string(parts.factors.type()));
  if (hlo::rows(parts.reflectors) != size || other.dtype() != parts.reflectors.dtype())
    fail("Q of {} and {} cannot be multiplied", to_string(parts.reflectors.type()),
         to_string(other.type()));
  if (other.type().elements() == 0) return other;
  const Value full = orthogonal(parts, size);
  const Value q = l.flag("transpose") ? hlo::adjoint(full) : full;
  return left ? hlo::matrix_product(q, other) : hlo::matrix_product(other, q);
}

// --- symmetric, not definite

Results ldl_factor_ex(Lowering& l) {
  leave_checks_to_host(l);
  const BunchKaufman parts = bunch_kaufman(square_matrices(l, "self"), l.flag("hermitian"));
  return {parts.factors, parts.pivots, parts.info};
}

// --- eigenvalues, singular values

Results eigh(Lowering& l) {
  const Value a = square_matrices(l, "A");
  const std::string_view triangle = l.text("UPLO");
  const bool lower = triangle == "L" || triangle == "l";
  if (!lower && triangle != "U" && triangle != "u")
    fail("`UPLO` is one of L and U, got {}", triangle);
  const bool vectors = l.flag("compute_v");
  if (a.type().elements() == 0) {
    const Dims values = with_last(hlo::batch_dims(a), hlo::rows(a));
    return {zeros(l.graph(), hlo::real_part(a.dtype()), values), vectors ? a : left_out(a)};
  }
  const hlo::Eigensystem system = hlo::eigh(a, lower);
  return {system.values, vectors ? system.vectors : left_out(a)};
}

// Orthonormal columns, and as many more as make them square.
Value completed(Value columns) {
  const int64_t size = hlo::rows(columns), given = hlo::columns(columns);
  if (size == given) return columns;
  const Value whole = orthogonal(reflections(columns), size);
  return hlo::concatenate({columns, hlo::slice_columns(whole, given, size)}, columns.rank() - 1);
}

Results svd(Lowering& l) {
  const Value a = matrices(l, "A");
  const SingularValues parts = singular_values(a);
  if (!l.flag("compute_uv")) return {left_out(a), parts.values, left_out(a)};
  if (!l.flag("full_matrices")) return {parts.u, parts.values, hlo::adjoint(parts.v)};
  return {completed(parts.u), parts.values, hlo::adjoint(completed(parts.v))};
}

constexpr OpRow kRows[] = {
    {"aten::cholesky", unchecked_cholesky},
    {"aten::linalg_cholesky_ex", cholesky_ex},
    {"aten::linalg_lu_factor_ex", lu_factor_ex},
    {"aten::linalg_lu", linalg_lu},
    {"aten::lu_unpack", lu_unpack},
    {"aten::linalg_ldl_factor_ex", ldl_factor_ex},
    {"aten::geqrf", geqrf},
    {"aten::linalg_qr", linalg_qr},
    {"aten::linalg_householder_product", householder_product},
    {"aten::ormqr", ormqr},
    {"aten::_linalg_eigh", eigh},
    {"aten::_linalg_svd", svd},
};

}  // namespace

std::span<const OpRow> factorization_rows() { return kRows; }

}  // namespace ippatsu::ops
