// Distances between all rows of two matrices, or of one.

#include <cmath>

#include "ops/compute.h"
#include "ops/slices.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

void check_power(double p) {
  if (!(p >= 0)) fail("only non-negative p values are supported, got {}", p);
}

// The p-norm of the last dim.
Value length(Value difference, double p) {
  const int64_t last = difference.rank() - 1;
  const Dims rows(difference.dims().begin(), difference.dims().end() - 1);
  if (difference.dim(last) == 0)
    return hlo::constant(difference.graph(), {difference.dtype(), rows}, 0);
  return p_norm(hlo::abs(difference), {last}, p);
}

// The derivative of `length` by each component; `distance` stands along them. Where the norm has no
// derivative (two rows are alike, say) it is zero.
Value slope(Value difference, Value distance, double p) {
  const Value zero = fill_like(difference, 0), sign = hlo::sign(difference);
  const Value magnitude = hlo::abs(difference);
  if (p == 0) return zero;
  if (p == 1) return sign;
  if (std::isinf(p)) return select(compare(Direction::Eq, magnitude, distance), sign, zero);
  const Value ratio = magnitude / distance;
  const Value grown = p == 2 ? ratio : power(ratio, fill_like(ratio, p - 1));
  const Value none = compare(Direction::Eq, p < 1 ? magnitude : distance, zero);
  return select(none, zero, sign * grown);
}

// --- between two matrices, perhaps batches of them

struct Pair {
  Value x, y;
};

Pair operands(Lowering& l) {
  const Value x = floating_tensor(l, "x1"), y = floating_tensor(l, "x2");
  if (x.rank() < 2 || y.rank() < 2)
    fail("cdist only supports at least 2D tensors, got {} and {}", to_string(x.type()),
         to_string(y.type()));
  if (x.dtype() != y.dtype() || x.dims().back() != y.dims().back())
    fail("X1 and X2 must have the same dtype and number of columns, got {} and {}",
         to_string(x.type()), to_string(y.type()));
  return {to_compute_type(x), to_compute_type(y)};
}

Dims batch_dims(Value x) { return {x.dims().begin(), x.dims().end() - 2}; }

// x - y of all pairs of rows: [batch, rows of x, rows of y, columns].
Value differences(const Pair& pair) {
  const int64_t rows = pair.x.dim(pair.x.rank() - 2), others = pair.y.dim(pair.y.rank() - 2);
  const int64_t columns = pair.x.dims().back();
  Dims shape = hlo::broadcast_dims(batch_dims(pair.x), batch_dims(pair.y));
  shape.insert(shape.end(), {rows, others, columns});
  const auto placed = [&](Value x, int64_t down, int64_t across) {
    Dims dims = batch_dims(x);
    dims.insert(dims.end(), {down, across, columns});
    return hlo::broadcast_to(hlo::reshape(x, dims), shape);
  };
  return placed(pair.x, rows, 1) - placed(pair.y, 1, others);
}

Results cdist(Lowering& l) {
  check_power(l.constant("p"));
  return hlo::convert(length(differences(operands(l)), l.constant("p")), l.type("x1").dtype);
}

// What flows back to x from `grad`, one number a pair.
Value flow(Value difference, Value grad, Value distance, double p) {
  const Dims& shape = difference.dims();
  const int64_t last = difference.rank() - 1;
  const Value along = slope(difference, stretch(distance, shape, {last}), p);
  return reduce_sum(along * stretch(grad, shape, {last}), {last - 1});
}

Results cdist_backward(Lowering& l) {
  const Value difference = differences(operands(l));
  const Dims pairs(difference.dims().begin(), difference.dims().end() - 1);
  const Value grad = hlo::broadcast_to(l.tensor("grad", difference.dtype()), pairs);
  const Value distance = hlo::broadcast_to(l.tensor("cdist", difference.dtype()), pairs);
  return hlo::convert(flow(difference, grad, distance, l.constant("p")), l.type("x1").dtype);
}

// --- between the rows of one matrix: the pairs (i, j), i < j, in the order of i, then j

Value rows_of(Lowering& l) {
  const Value x = floating_tensor(l, "self");
  if (x.rank() != 2) fail("pdist only supports 2D tensors, got {}", to_string(x.type()));
  return to_compute_type(x);
}

// How many pairs come before those whose lesser row is i.
Value pairs_before(Value i, int64_t rows) {
  return (i * (2.0 * static_cast<double>(rows) - 1) - i * i) / 2;
}

struct RowPairs {
  Value lesser, greater;  // i64[pairs]
};

// Counted from the end, pair k belongs to row floor((sqrt(8 k + 1) - 1) / 2) from the end. The root
// is off by less than one, which integers put right.
RowPairs row_pairs(hlo::Graph& graph, int64_t rows) {
  const int64_t count = rows * (rows - 1) / 2;
  const Value pair = hlo::iota(graph, {DType::I64, {count}}, 0);
  const Value from_end = static_cast<double>(count - 1) - pair;
  const Value root = hlo::sqrt(hlo::convert(from_end, DType::F32) * 8 + 1);
  const Value row_from_end = hlo::convert(floor((root - 1) / 2), DType::I64);
  const Value guess = static_cast<double>(rows - 2) - row_from_end;
  const auto counted = [](Value truth) { return hlo::convert(truth, DType::I64); };
  const Value low = counted(compare(Direction::Le, pairs_before(guess + 1, rows), pair));
  const Value high = counted(compare(Direction::Gt, pairs_before(guess, rows), pair));
  const Value lesser = guess + low - high;
  return {lesser, pair - pairs_before(lesser, rows) + lesser + 1};
}

Results pdist(Lowering& l) {
  check_power(l.constant("p"));
  const Value x = rows_of(l);
  const DType dtype = l.type("self").dtype;
  if (x.dim(0) < 2) return hlo::constant(l.graph(), {dtype, {0}}, 0);
  const auto [lesser, greater] = row_pairs(l.graph(), x.dim(0));
  const Value difference = take_slices(x, lesser, 0) - take_slices(x, greater, 0);
  return hlo::convert(length(difference, l.constant("p")), dtype);
}

Results pdist_backward(Lowering& l) {
  const Value x = rows_of(l);
  const DType dtype = l.type("self").dtype;
  if (x.dim(0) < 2) return hlo::constant(l.graph(), {dtype, x.dims()}, 0);
  const auto [lesser, greater] = row_pairs(l.graph(), x.dim(0));
  const Value difference = take_slices(x, lesser, 0) - take_slices(x, greater, 0);
  const auto along = [&](std::string_view name) {
    return stretch(l.tensor(name, x.dtype()), difference.dims(), {1});
  };
  const Value flow = slope(difference, along("pdist"), l.constant("p")) * along("grad");
  const Value to_lesser = sum_slices(flow, lesser, 0, x.dim(0));
  return hlo::convert(combine_slices(hlo::Combiner::Add, to_lesser, greater, -flow, 0), dtype);
}

constexpr OpRow kRows[] = {
    {"aten::_cdist_forward", cdist},
    {"aten::_cdist_backward", cdist_backward},
    {"aten::_pdist_forward", pdist},
    {"aten::_pdist_backward", pdist_backward},
};

}  // namespace

std::span<const OpRow> distance_rows() { return kRows; }

}  // namespace ippatsu::ops
