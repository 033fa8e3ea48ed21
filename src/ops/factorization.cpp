// Factorizations of matrices: Cholesky, LU, QR, eigenvalues, singular values.

#include "ops/factorization.h"

#include <algorithm>

#include "base/error.h"
#include "ops/bunch_kaufman.h"
#include "ops/lu.h"
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

// What stands for an output that was not asked for.
Value left_out(Value like) { return hlo::zeros(like.graph(), like.dtype(), {0}); }

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
  if (a.type().elements() == 0) return {a, hlo::zeros(a.graph(), DType::I32, batch)};
  const Value flat = hlo::flattened(hlo::lower_triangle(a));
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
  return {a, hlo::zeros(a.graph(), a.dtype(), hlo::vector_dims(hlo::batch_dims(a), rank))};
}

}  // namespace

Value orthogonal(const hlo::Qr& parts, int64_t columns) {
  const Value& a = parts.reflectors;
  const int64_t rows = hlo::rows(a);
  const Dims dims = hlo::matrix_dims(hlo::batch_dims(a), rows, columns);
  if (hlo::element_count(dims) == 0) return hlo::zeros(a.graph(), a.dtype(), dims);
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
          hlo::vector_dims(batch, parts.factors.rank() == 0 ? 0 : parts.factors.dims().back());
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
    const Dims values = hlo::vector_dims(hlo::batch_dims(a), hlo::rows(a));
    return {hlo::zeros(l.graph(), hlo::real_part(a.dtype()), values), vectors ? a : left_out(a)};
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
