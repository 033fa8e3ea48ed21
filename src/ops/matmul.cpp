// Matrix products, and what is made of them.

#include <cmath>

#include "base/error.h"
#include "hlo/matrix.h"
#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

void check_rank(std::string_view name, Value x, int64_t rank) {
  if (x.rank() != rank) fail("{} must have {} dims, got {}", name, rank, to_string(x.type()));
}

// Over the last dim of x and the first dim of y after `batch` leading dims.
hlo::DotDims contraction(Value x, int64_t batch) {
  Dims lead;
  for (int64_t i = 0; i < batch; ++i) lead.push_back(i);
  return {.lhs_batch = lead,
          .rhs_batch = lead,
          .lhs_contracting = {x.rank() - 1},
          .rhs_contracting = {batch}};
}

// XLA multiplies integers and floats alike; booleans it does not.
void check_multipliable(Value x) {
  if (x.dtype() == DType::Pred) fail("a matrix product of bool tensors is not defined");
}

Value product(Value x, Value y, int64_t batch) {
  check_multipliable(x);
  return dot_general(x, y, contraction(x, batch));
}

// beta * self + alpha * product, rounded once; with beta 0, whatever self holds (NaN too) has no
// part in it.
Value added(Lowering& l, Value x, Value y, const hlo::DotDims& dims) {
  check_multipliable(x);
  const bool half = x.dtype() == DType::F16 || x.dtype() == DType::BF16;
  const DType wide = half ? DType::F32 : x.dtype();
  const Value scaled = l.scaled(hlo::dot_general(x, y, dims, wide), "alpha");
  if (l.is("beta", 0)) return hlo::convert(scaled, x.dtype());
  const Value self = l.scaled(l.tensor("self", wide), "beta");
  return hlo::convert(hlo::broadcast_to(self, scaled.dims()) + scaled, x.dtype());
}

Results mm(Lowering& l) {
  const Value x = l.tensor("self"), y = l.tensor("mat2");
  check_rank("self", x, 2);
  check_rank("mat2", y, 2);
  return product(x, y, 0);
}

Results bmm(Lowering& l) {
  const Value x = l.tensor("self"), y = l.tensor("mat2");
  check_rank("self", x, 3);
  check_rank("mat2", y, 3);
  return product(x, y, 1);
}

Results mv(Lowering& l) {
  const Value x = l.tensor("self"), y = l.tensor("vec");
  check_rank("self", x, 2);
  check_rank("vec", y, 1);
  return product(x, y, 0);
}

Results dot(Lowering& l) {
  const Value x = l.tensor("self"), y = l.tensor("tensor");
  check_rank("self", x, 1);
  check_rank("tensor", y, 1);
  return product(x, y, 0);
}

Results vdot(Lowering& l) {
  const Value x = l.tensor("self"), y = l.tensor("other");
  check_rank("self", x, 1);
  check_rank("other", y, 1);
  return product(hlo::conjugate(x), y, 0);
}

Results addmm(Lowering& l) {
  const Value x = l.tensor("mat1"), y = l.tensor("mat2");
  check_rank("mat1", x, 2);
  check_rank("mat2", y, 2);
  return added(l, x, y, contraction(x, 0));
}

Results addmv(Lowering& l) {
  const Value x = l.tensor("mat"), y = l.tensor("vec");
  check_rank("mat", x, 2);
  check_rank("vec", y, 1);
  return added(l, x, y, contraction(x, 0));
}

Results baddbmm(Lowering& l) {
  const Value x = l.tensor("batch1"), y = l.tensor("batch2");
  check_rank("batch1", x, 3);
  check_rank("batch2", y, 3);
  return added(l, x, y, contraction(x, 1));
}

// The sum of the products of a batch, as one product.
Results addbmm(Lowering& l) {
  const Value x = l.tensor("batch1"), y = l.tensor("batch2");
  check_rank("batch1", x, 3);
  check_rank("batch2", y, 3);
  return added(l, x, y, {.lhs_contracting = {0, 2}, .rhs_contracting = {0, 1}});
}

// --- vectors in space, traces

Results cross(Lowering& l) {
  const Values xy = l.promoted({"self", "other"});
  const Value &x = xy[0], &y = xy[1];
  const int64_t dim = l.dim("dim", x.rank());
  for (const char* name : {"self", "other"}) {
    const hlo::Type type = l.type(name);
    if (type.rank() != x.rank() || type.dims[static_cast<size_t>(dim)] != 3)
      fail("a cross product wants two tensors with {} dims and length 3 in dim {}, got {}",
           x.rank(), dim, to_string(type));
  }
  const auto part = [&](Value of, int64_t index) { return slice_dim(of, dim, index, index + 1); };
  Values parts;
  for (int64_t i = 0; i < 3; ++i) {
    const int64_t next = (i + 1) % 3, last = (i + 2) % 3;
    parts.push_back(part(x, next) * part(y, last) - part(x, last) * part(y, next));
  }
  return hlo::concatenate(parts, dim);
}

Results trace(Lowering& l) {
  const Value x = l.tensor("self");
  check_rank("self", x, 2);
  if (x.dtype() == DType::Pred) fail("\"trace\" not implemented for 'Bool'");
  const DType dtype = hlo::is_integer(x.dtype()) ? DType::I64 : x.dtype();
  const Value diagonal = to_compute_type(hlo::diagonal(hlo::convert(x, dtype)));
  return hlo::convert(reduce_sum(diagonal, {0}), dtype);
}

// --- the exponential

// The Taylor polynomial of degree 16 in six products (Paterson and Stockmeyer, "On the number of
// nonscalar multiplications necessary to evaluate polynomials", 1973). Where the norm is at most
// 1/2, it errs by less than rounding does, in f64 too.
Value short_exponential(Value a) {
  constexpr int kStride = 4;
  Values powers = {hlo::identity(a.graph(), a.type()), a};
  for (int i = 2; i <= kStride; ++i) powers.push_back(hlo::matrix_product(powers.back(), a));
  const auto coefficient = [](int power) { return 1 / std::tgamma(power + 1.0); };
  Value sum = powers[0] * coefficient(kStride * kStride);
  for (int block = kStride - 1; block >= 0; --block) {
    sum = hlo::matrix_product(sum, powers[kStride]);
    for (int i = 0; i < kStride; ++i)
      sum = sum + powers[static_cast<size_t>(i)] * coefficient(block * kStride + i);
  }
  return sum;
}

// How often a matrix [batch, n, n] must be halved until its 1-norm is at most 1/2; i32[batch].
Value halvings(Value a) {
  constexpr double kMost = 1100;  // f64 has no exponent beyond
  const Value norm = reduce_max(reduce_sum(hlo::abs(a), {1}), {1});
  const Value steps = hlo::unary(hlo::Opcode::Ceil, hlo::log(norm) / std::log(2.0)) + 1;
  const Value enough = maximum(fill_like(steps, 0), minimum(steps, fill_like(steps, kMost)));
  return hlo::convert(select(hlo::is_nan(norm), fill_like(norm, 0), enough), DType::I32);
}

Value over_matrices(Value x, Value like) { return hlo::broadcast_in_dim(x, like.dims(), {0}); }

// exp(a) = exp(a / 2^s)^(2^s) (Higham, "The scaling and squaring method for the matrix exponential
// revisited", 2005).
Value exponential(Value a) {
  const Value count = halvings(a);
  const DType part = hlo::real_part(a.dtype());
  // In two steps: 2^-1100 is 0.
  const Value half = count / fill_like(count, 2), other = count - half;
  const auto power_of_half = [&](Value steps) {
    const Value exponent = hlo::convert(steps, part);
    return hlo::convert(power(fill_like(exponent, 0.5), exponent), a.dtype());
  };
  const Value scaled =
      a * over_matrices(power_of_half(half), a) * over_matrices(power_of_half(other), a);
  const auto more = [](std::span<const Value> state) -> Values {
    return {reduce_or(compare(hlo::Direction::Gt, state[1], fill_like(state[1], 0)), {0})};
  };
  const auto squared = [](std::span<const Value> state) -> Values {
    const Value open = compare(hlo::Direction::Gt, state[1], fill_like(state[1], 0));
    return {
        select(over_matrices(open, state[0]), hlo::matrix_product(state[0], state[0]), state[0]),
        state[1] - 1};
  };
  return hlo::while_loop({short_exponential(scaled), count}, more, squared)[0];
}

Results matrix_exp(Lowering& l) {
  const Value a = to_compute_type(l.tensor("self"));
  const bool square = a.rank() >= 2 && hlo::rows(a) == hlo::columns(a);
  if (!square || hlo::is_integer(a.dtype()) || a.dtype() == DType::Pred)
    fail("`self` must hold square matrices of floating-point or complex numbers, got {}",
         to_string(l.type("self")));
  if (a.type().elements() == 0) return l.tensor("self");
  return hlo::convert(hlo::reshape(exponential(hlo::flattened(a)), a.dims()), l.type("self").dtype);
}

constexpr OpRow kRows[] = {
    {"aten::mm", mm},           {"aten::bmm", bmm},
    {"aten::mv", mv},           {"aten::dot", dot},
    {"aten::vdot", vdot},       {"aten::addmm", addmm},
    {"aten::addmv", addmv},     {"aten::addbmm", addbmm},
    {"aten::baddbmm", baddbmm}, {"aten::linalg_cross", cross},
    {"aten::trace", trace},     {"aten::linalg_matrix_exp", matrix_exp},
};

}  // namespace

std::span<const OpRow> matmul_rows() { return kRows; }

}  // namespace ippatsu::ops
