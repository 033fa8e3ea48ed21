#include "ops/windows.h"

#include <algorithm>

#include <fmt/ranges.h>

namespace ippatsu::ops {

namespace {

// What lies at the positions, which are clamped into the dim.
Value gather_along(Value x, int64_t dim, Value positions) {
  Dims sizes = x.dims(), result = x.dims(), offset;
  sizes[static_cast<size_t>(dim)] = 1;
  result[static_cast<size_t>(dim)] = positions.dim(0);
  result.insert(result.begin() + dim + 1, positions.dim(1));
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (i != dim) offset.push_back(i < dim ? i : i + 1);
  }
  const Value vectors = hlo::reshape(positions, {positions.dim(0), positions.dim(1), 1});
  return hlo::gather(x, vectors,
                     {.offset = offset, .collapsed = {dim}, .map = {dim}, .sizes = sizes}, result);
}

}  // namespace

Value read_windows(Value x, int64_t dim, const Windows& windows, Value filling) {
  const Dims& shape = windows.positions.dims();
  Dims result = x.dims();
  result[static_cast<size_t>(dim)] = shape[0];
  result.insert(result.begin() + dim + 1, shape[1]);
  const Value outside = hlo::broadcast_to(filling, result);
  if (x.type().elements() == 0 || outside.type().elements() == 0) return outside;
  const Value inside = hlo::broadcast_in_dim(windows.inside, result, {dim, dim + 1});
  return select(inside, gather_along(x, dim, windows.positions), outside);
}

Value sum_windows(Value x, int64_t dim, const Windows& windows) {
  const Value zero = hlo::constant(x.graph(), {x.dtype(), {}}, 0);
  const Value places = read_windows(x, dim, windows, zero);
  return x.dtype() == DType::Pred ? reduce_or(places, {dim + 1}) : reduce_sum(places, {dim + 1});
}

Dims window_numbers(Lowering& l, std::string_view name, size_t count, int64_t least) {
  constexpr int64_t kLimit = int64_t{1} << 31;  // a product of two such numbers does not overflow
  Dims numbers = l.ints(name);
  if (numbers.size() == 1) numbers.resize(count, numbers[0]);
  if (numbers.size() != count)
    fail("{} must be a single int or a list of {} ints, got [{}]", name, count,
         fmt::join(numbers, ","));
  if (std::ranges::any_of(numbers, [&](int64_t n) { return n < least || n >= kLimit; }))
    fail("{} should be at least {}, got [{}]", name, least, fmt::join(numbers, ","));
  return numbers;
}

}  // namespace ippatsu::ops
