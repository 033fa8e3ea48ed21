// Matrix products.

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

void check_rank(std::string_view name, Value x, int64_t rank) {
  if (x.rank() != rank) fail("{} must have {} dims, got {}", name, rank, to_string(x.type()));
}

// The product over the last dim of x and the first dim of y after `batch` leading dims.
Value product(Value x, Value y, int64_t batch) {
  Dims lead;
  for (int64_t i = 0; i < batch; ++i) lead.push_back(i);
  // XLA multiplies integers and floats alike; booleans it does not.
  if (x.dtype() == DType::Pred) fail("a matrix product of bool tensors is not defined");
  return dot_general(x, y,
                     {.lhs_batch = lead,
                      .rhs_batch = lead,
                      .lhs_contracting = {x.rank() - 1},
                      .rhs_contracting = {batch}});
}

// beta * self + alpha * product; with beta 0, whatever self holds (NaN too) has no part in it.
Value added(Lowering& l, Value product) {
  const Value scaled = l.scaled(product, "alpha");
  if (l.is("beta", 0)) return scaled;
  return hlo::broadcast_to(l.scaled(l.tensor("self", product.dtype()), "beta"), product.dims()) +
         scaled;
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

Results addmm(Lowering& l) {
  const Value x = l.tensor("mat1"), y = l.tensor("mat2");
  check_rank("mat1", x, 2);
  check_rank("mat2", y, 2);
  return added(l, product(x, y, 0));
}

Results addmv(Lowering& l) {
  const Value x = l.tensor("mat"), y = l.tensor("vec");
  check_rank("mat", x, 2);
  check_rank("vec", y, 1);
  return added(l, product(x, y, 0));
}

Results baddbmm(Lowering& l) {
  const Value x = l.tensor("batch1"), y = l.tensor("batch2");
  check_rank("batch1", x, 3);
  check_rank("batch2", y, 3);
  return added(l, product(x, y, 1));
}

constexpr OpRow kRows[] = {
    {"aten::mm", mm},       {"aten::bmm", bmm},     {"aten::mv", mv},           {"aten::dot", dot},
    {"aten::addmm", addmm}, {"aten::addmv", addmv}, {"aten::baddbmm", baddbmm},
};

}  // namespace

std::span<const OpRow> matmul_rows() { return kRows; }

}  // namespace ippatsu::ops
