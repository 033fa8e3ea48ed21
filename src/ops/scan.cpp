// Running sums, products and extrema along a dimension, in log2(n) rounds: after the round that
// looks `step` places back, each place holds the result of the last 2 * step (Hillis and Steele,
// "Data parallel algorithms", 1986).

#include "ops/scan.h"

#include <limits>

#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// x with each element `step` places further along `dim`, `filling` in front.
Value moved(Value x, int64_t dim, int64_t step, Value filling) {
  Dims low(static_cast<size_t>(x.rank()), 0), high = low;
  low[static_cast<size_t>(dim)] = step;
  high[static_cast<size_t>(dim)] = -step;
  return hlo::pad(x, filling, low, high);
}

template <typename Combine>
Value running(Value x, int64_t dim, Value identity, Combine combine) {
  if (x.rank() == 0) return x;
  for (int64_t step = 1; step < x.dim(dim); step *= 2)
    x = combine(moved(x, dim, step, identity), x);
  return x;
}

}  // namespace

Value running_sum(Value x, int64_t dim) {
  const Value zero = hlo::constant(x.graph(), {x.dtype(), {}}, 0);
  return running(x, dim, zero, [](Value earlier, Value later) { return earlier + later; });
}

Value running_max(Value x, int64_t dim) {
  return running(x, dim, hlo::lowest(x.graph(), {x.dtype(), {}}), hlo::maximum);
}

namespace {

// In the compute type, and rounded once.
template <typename Combine>
Value accumulated(Lowering& l, DType dtype, double identity, Combine combine) {
  const Value x = to_compute_type(l.tensor("self", dtype));
  const Value start = hlo::constant(l.graph(), {x.dtype(), {}}, identity);
  return hlo::convert(running(x, l.dim("dim", x.rank()), start, combine), dtype);
}

Results cumsum(Lowering& l) {
  const DType dtype = sum_type(l, l.tensor("self"));
  return accumulated(l, dtype, 0, [](Value x, Value y) { return x + y; });
}

Results cumprod(Lowering& l) {
  const DType dtype = sum_type(l, l.tensor("self"));
  return accumulated(l, dtype, 1, [](Value x, Value y) { return x * y; });
}

Results logcumsumexp(Lowering& l) {
  const DType dtype = l.type("self").dtype;
  if (!hlo::is_floating(dtype) && !hlo::is_complex(dtype))
    fail("`self` must hold floating-point or complex numbers, got {}", to_string(l.type("self")));
  return accumulated(l, dtype, -std::numeric_limits<double>::infinity(), log_add_exp);
}

// The best element so far and its position. Of equals the last one counts, and NaN is the best.
template <Direction at_least_as_good, Value (*worst_of)(hlo::Graph&, hlo::Type)>
Results running_extremum(Lowering& l) {
  Value x = l.tensor("self");
  if (x.rank() == 0) return {x, hlo::constant(l.graph(), {DType::I64, {}}, 0)};
  const int64_t dim = l.dim("dim", x.rank());
  Value position = hlo::iota(l.graph(), {DType::I64, x.dims()}, dim);
  const Value worst = worst_of(l.graph(), {x.dtype(), {}});
  const Value first = hlo::constant(l.graph(), {DType::I64, {}}, 0);
  for (int64_t step = 1; step < x.dim(dim); step *= 2) {
    const Value earlier = moved(x, dim, step, worst);
    Value wins = compare(at_least_as_good, x, earlier);
    if (hlo::is_floating(x.dtype())) wins = hlo::is_nan(x) | (wins & ~hlo::is_nan(earlier));
    position = select(wins, position, moved(position, dim, step, first));
    x = select(wins, x, earlier);
  }
  return {x, position};
}

constexpr OpRow kRows[] = {
    {"aten::cumsum", cumsum},
    {"aten::cumprod", cumprod},
    {"aten::logcumsumexp", logcumsumexp},
    {"aten::cummax", running_extremum<Direction::Ge, hlo::lowest>},
    {"aten::cummin", running_extremum<Direction::Le, hlo::highest>},
};

}  // namespace

std::span<const OpRow> scan_rows() { return kRows; }

}  // namespace ippatsu::ops
