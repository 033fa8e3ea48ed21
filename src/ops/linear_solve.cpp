// Equations with matrices: triangular, by Cholesky and LU factors, least squares; inverses and
// determinants.

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "ops/bunch_kaufman.h"
#include "ops/factorization.h"
#include "ops/lu.h"
#include "ops/singular_values.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;
using Transpose = hlo::TriangularSolve::Transpose;

void check_one_type(Value a, Value b) {
  if (a.dtype() != b.dtype())
    fail("equations want one element type, got {} and {}", to_string(a.type()),
         to_string(b.type()));
}

// That a x = b, or x a = b, can be written down.
void check_sizes(Value a, Value b, bool left) {
  check_one_type(a, b);
  if (hlo::rows(a) != (left ? hlo::rows(b) : hlo::columns(b)))
    fail("{} equations for {}: incompatible shapes of A and B ({} are solved for)",
         to_string(a.type()), to_string(b.type()), left ? "columns" : "rows");
}

Dims common_batch(Value a, Value b) {
  return hlo::broadcast_dims(hlo::batch_dims(a), hlo::batch_dims(b));
}

Value with_column(Value vector) {
  Dims dims = vector.dims();
  dims.push_back(1);
  return hlo::reshape(vector, std::move(dims));
}

Value without_column(Value a) {
  return hlo::reshape(a, Dims(a.dims().begin(), a.dims().end() - 1));
}

// --- triangular

// With the batches of both as they are.
Value solve_triangular(Value a, Value b, const hlo::TriangularSolve& options) {
  if (b.type().elements() == 0) return b;
  return hlo::triangular_solve(a, b, options);
}

Results linalg_solve_triangular(Lowering& l) {
  const Value a = square_matrices(l, "self"), b = matrices(l, "B");
  const bool left = l.flag("left");
  check_sizes(a, b, left);
  const Dims batch = common_batch(a, b);
  return solve_triangular(
      hlo::broadcast_batch(a, batch), hlo::broadcast_batch(b, batch),
      {.left_side = left, .lower = !l.flag("upper"), .unit_diagonal = l.flag("unitriangular")});
}

Results triangular_solve(Lowering& l) {
  const Value a = square_matrices(l, "A"), b = matrices(l, "self");
  check_sizes(a, b, /*left=*/true);
  const Dims batch = common_batch(a, b);
  const Value matrix = hlo::broadcast_batch(a, batch);
  const Value solution =
      solve_triangular(matrix, hlo::broadcast_batch(b, batch),
                       {.lower = !l.flag("upper"),
                        .unit_diagonal = l.flag("unitriangular"),
                        .transpose = l.flag("transpose") ? Transpose::Transpose : Transpose::None});
  return {solution, matrix};
}

// --- Cholesky factors

// a x = b for a = f f^H, or f^H f where the factor is the upper triangle.
Value solve_cholesky(Value factor, Value b, bool upper) {
  const auto solve = [&](Value b, bool adjoint) {
    return solve_triangular(
        factor, b, {.lower = !upper, .transpose = adjoint ? Transpose::Adjoint : Transpose::None});
  };
  return solve(solve(b, upper), !upper);
}

Results cholesky_solve(Lowering& l) {
  const Value factor = square_matrices(l, "A"), b = matrices(l, "self");
  check_sizes(factor, b, /*left=*/true);
  return solve_cholesky(factor, b, l.flag("upper"));
}

Results cholesky_inverse(Lowering& l) {
  const Value factor = square_matrices(l, "self");
  return solve_cholesky(factor, hlo::identity(l.graph(), factor.type()), l.flag("upper"));
}

// --- LU factors

Value inverse_order(Value order) {
  if (order.type().elements() == 0) return order;
  const int64_t last = order.rank() - 1;
  return sort(order, {hlo::iota(order.graph(), order.type(), last)}, last, false)[1];
}

// P L U x = b, or (P L U)^H x = b; everything in one batch.
Value solve_lu(Value factors, Value order, Value b, bool adjoint) {
  if (b.type().elements() == 0) return b;
  const auto solve = [&](Value b, bool lower) {
    return solve_triangular(factors, b,
                            {.lower = lower,
                             .unit_diagonal = lower,
                             .transpose = adjoint ? Transpose::Adjoint : Transpose::None});
  };
  if (adjoint) return hlo::permuted_rows(solve(solve(b, false), true), inverse_order(order));
  return solve(solve(hlo::permuted_rows(b, order), true), false);
}

// x a = b is a^H x^H = b^H.
Value solve_lu(Value factors, Value pivots, Value b, bool left, bool adjoint) {
  const Dims batch = common_batch(factors, b);
  const Dims rows = hlo::vector_dims(batch, hlo::rows(factors));
  const Value order = hlo::broadcast_to(row_order(pivots, hlo::rows(factors)), rows);
  const Value all_factors = hlo::broadcast_batch(factors, batch),
              all_b = hlo::broadcast_batch(b, batch);
  if (left) return solve_lu(all_factors, order, all_b, adjoint);
  return hlo::adjoint(solve_lu(all_factors, order, hlo::adjoint(all_b), !adjoint));
}

void check_pivots(Value factors, Value pivots) {
  const Dims wanted(factors.dims().begin(), factors.dims().end() - 1);
  if (pivots.dtype() != DType::I32 || pivots.dims() != wanted)
    fail("`pivots` must be i32, one for each row of {}, got {}", to_string(factors.type()),
         to_string(pivots.type()));
}

Results linalg_lu_solve(Lowering& l) {
  const Value factors = square_matrices(l, "LU"), b = matrices(l, "B");
  const Value pivots = l.tensor("pivots");
  const bool left = l.flag("left");
  check_sizes(factors, b, left);
  check_pivots(factors, pivots);
  return solve_lu(factors, pivots, b, left, l.flag("adjoint"));
}

// Whether b holds one vector for each of the matrices.
bool is_vector(Value a, Value b) {
  const Dims vectors(a.dims().begin(), a.dims().end() - 1);
  return b.rank() == 1 || b.dims() == vectors;
}

Results solve_ex(Lowering& l) {
  leave_checks_to_host(l);
  const Value a = square_matrices(l, "A"), given = l.tensor("B");
  const bool vector = is_vector(a, given), left = l.flag("left");
  if (vector && !left) fail("vectors can only be solved for with left=True");
  const Value b = vector ? with_column(given) : matrices(l, "B");
  check_sizes(a, b, left);
  const Lu parts = lu(a);
  const Value x = solve_lu(parts.factors, parts.pivots, b, left, /*adjoint=*/false);
  return {vector ? without_column(x) : x, parts.factors, parts.pivots, parts.info};
}

Results inv_ex(Lowering& l) {
  leave_checks_to_host(l);
  const Value a = square_matrices(l, "A");
  const Lu parts = lu(a);
  const Value one = hlo::identity(l.graph(), a.type());
  return {solve_lu(parts.factors, parts.pivots, one, true, false), parts.info};
}

// --- the factors of symmetric matrices

Results ldl_solve(Lowering& l) {
  const Value factors = square_matrices(l, "LD"), b = matrices(l, "B");
  const Value pivots = l.tensor("pivots");
  check_sizes(factors, b, /*left=*/true);
  check_pivots(factors, pivots);
  const Dims batch = common_batch(factors, b);
  const Dims rows = hlo::vector_dims(batch, hlo::rows(factors));
  return solve_bunch_kaufman(
      {hlo::broadcast_batch(factors, batch), hlo::broadcast_to(pivots, rows), {}},
      hlo::broadcast_batch(b, batch), l.flag("hermitian"));
}

// --- determinants

// The gradient solves with these factors, and counts on those of the transposed matrix where ATen's
// own kernel, which would have to copy the matrix otherwise, takes that.
Lu lu_for_determinant(Lowering& l) {
  const Value a = square_matrices(l, "A");
  const bool transpose = l.raw("A").is_contiguous() && !hlo::is_complex(a.dtype());
  return lu(transpose ? hlo::transposed(a) : a);
}

// The sign of the permutation: -1 for an odd number of exchanges.
Value exchange_sign(Value pivots, DType dtype) {
  const int64_t last = pivots.rank() - 1;
  const Value own = hlo::iota(pivots.graph(), pivots.type(), last) + 1;
  const Value moved = hlo::convert(compare(Direction::Ne, pivots, own), DType::I32);
  const Value count = reduce_sum(moved, {last});
  const Value odd = remainder(count, fill_like(count, 2));
  return hlo::convert(1 - 2 * odd, dtype);
}

Value product_of_last(Value x) {
  return reduce(hlo::Combiner::Multiply, x, hlo::constant(x.graph(), {x.dtype(), {}}, 1),
                {x.rank() - 1});
}

Results det(Lowering& l) {
  const Lu parts = lu_for_determinant(l);
  const Value product = product_of_last(hlo::diagonal(parts.factors));
  return {product * exchange_sign(parts.pivots, product.dtype()), parts.factors, parts.pivots};
}

Results slogdet(Lowering& l) {
  const Lu parts = lu_for_determinant(l);
  const Value diagonal = hlo::diagonal(parts.factors);
  const Value sign = product_of_last(hlo::sign(diagonal));
  return {sign * exchange_sign(parts.pivots, sign.dtype()),
          reduce_sum(hlo::log(hlo::abs(diagonal)), {diagonal.rank() - 1}), parts.factors,
          parts.pivots};
}

// --- least squares

// For matrices of full rank: of wide ones, the solution with the least norm.
Value solve_by_qr(Value a, Value b) {
  const bool wide = hlo::rows(a) < hlo::columns(a);
  const ReducedQr parts = reduced_qr(wide ? hlo::adjoint(a) : a);
  if (wide)
    return hlo::matrix_product(
        parts.q, solve_triangular(parts.r, b, {.lower = false, .transpose = Transpose::Adjoint}));
  return solve_triangular(parts.r, hlo::matrix_product(hlo::adjoint(parts.q), b), {.lower = false});
}

struct LeastSquares {
  Value solution, rank, singular_values;
};

// With the least norm of all solutions; singular values up to `rcond` of the greatest count as 0.
LeastSquares solve_by_svd(Value a, Value b, double rcond) {
  const SingularValues parts = singular_values(a);
  const int64_t last = parts.values.rank() - 1;
  const Value limit =
      parts.values.dim(last) == 0
          ? parts.values
          : hlo::broadcast_to(slice_dim(parts.values, last, 0, 1) * rcond, parts.values.dims());
  const Value counted = compare(Direction::Gt, parts.values, limit);
  const Value inverse =
      hlo::only(counted, 1 / select(counted, parts.values, fill_like(parts.values, 1)));
  const Value seen = hlo::matrix_product(hlo::adjoint(parts.u), b);
  const Value scale =
      hlo::broadcast_in_dim(hlo::convert(inverse, b.dtype()), seen.dims(), all_dims(inverse));
  return {hlo::matrix_product(parts.v, seen * scale),
          reduce_sum(hlo::convert(counted, DType::I64), {last}), parts.values};
}

double default_rcond(Value a) {
  const double epsilon = hlo::real_part(a.dtype()) == DType::F64
                             ? std::numeric_limits<double>::epsilon()
                             : std::numeric_limits<float>::epsilon();
  return epsilon * static_cast<double>(std::max(hlo::rows(a), hlo::columns(a)));
}

Value residuals(Value a, Value solution, Value b) {
  const Value distance = hlo::abs(hlo::matrix_product(a, solution) - b);
  return reduce_sum(distance * distance, {b.rank() - 2});
}

Results lstsq(Lowering& l) {
  const Value a = matrices(l, "self"), given = l.tensor("b");
  const std::string_view wanted = l.text("driver"), driver = wanted.empty() ? "gelsy" : wanted;
  const bool values = driver == "gelss" || driver == "gelsd", by_qr = driver == "gels";
  if (!values && !by_qr && driver != "gelsy")
    fail("`driver` is one of gels, gelsy, gelsd and gelss, got {}", driver);
  const bool tall = hlo::rows(a) > hlo::columns(a), vector = is_vector(a, given);
  if (values && tall) throw NoForm("whether there are residuals depends on the matrix's rank");
  const Value b = vector ? with_column(given) : matrices(l, "b");
  check_sizes(a, b, /*left=*/true);
  const Dims batch = common_batch(a, b);
  const Value all_b = hlo::broadcast_batch(b, batch), all_a = hlo::broadcast_batch(a, batch);

  LeastSquares found;
  if (by_qr)
    found.solution = solve_by_qr(all_a, all_b);
  else
    found = solve_by_svd(all_a, all_b, l.has("rcond") ? l.constant("rcond") : default_rcond(a));
  const DType part = hlo::real_part(a.dtype());
  return {
      vector ? without_column(found.solution) : found.solution,
      by_qr && tall ? residuals(all_a, found.solution, all_b) : hlo::zeros(l.graph(), part, {0}),
      by_qr ? hlo::zeros(l.graph(), DType::I64, {0}) : found.rank,
      values ? found.singular_values : hlo::zeros(l.graph(), part, {0})};
}

constexpr OpRow kRows[] = {
    {"aten::linalg_solve_triangular", linalg_solve_triangular},
    {"aten::triangular_solve", triangular_solve},
    {"aten::_cholesky_solve_helper", cholesky_solve},
    {"aten::cholesky_inverse", cholesky_inverse},
    {"aten::linalg_lu_solve", linalg_lu_solve},
    {"aten::linalg_ldl_solve", ldl_solve},
    {"aten::_linalg_solve_ex", solve_ex},
    {"aten::linalg_inv_ex", inv_ex},
    {"aten::_linalg_det", det},
    {"aten::_linalg_slogdet", slogdet},
    {"aten::linalg_lstsq", lstsq},
};

}  // namespace

std::span<const OpRow> linear_solve_rows() { return kRows; }

}  // namespace ippatsu::ops
