#include "ops/slices.h"

#include <limits>

namespace ippatsu::ops {

namespace {

// The dims of the slices that are x's own: all but those that the positions bring.
Dims window_dims(int64_t rank, int64_t dim, int64_t added) {
  Dims window;
  for (int64_t i = 0; i < rank; ++i) {
    if (i != dim) window.push_back(i < dim ? i : i + added - 1);
  }
  return window;
}

Value as_vectors(Value positions) {
  Dims column = positions.dims();
  column.push_back(1);
  return hlo::reshape(positions, column);
}

}  // namespace

Value take_slices(Value x, Value positions, int64_t dim) {
  const int64_t extent = x.dim(dim);
  Dims sizes = x.dims(), result = x.dims();
  sizes[static_cast<size_t>(dim)] = 1;
  result.erase(result.begin() + dim);
  result.insert(result.begin() + dim, positions.dims().begin(), positions.dims().end());
  const hlo::Type type{x.dtype(), result};
  if (type.elements() == 0) return hlo::constant(x.graph(), type, 0);
  if (extent == 0) fail("nothing can be read along dim {} of {}", dim, to_string(x.type()));
  return hlo::gather(x, as_vectors(positions),
                     {.offset = window_dims(x.rank(), dim, positions.rank()),
                      .collapsed = {dim},
                      .map = {dim},
                      .sizes = sizes},
                     result);
}

Value combine_slices(hlo::Combiner combiner, Value x, Value positions, Value updates, int64_t dim) {
  if (updates.type().elements() == 0 || x.type().elements() == 0) return x;
  const auto combined = [&](hlo::Combiner combiner, Value x, Value updates) {
    return hlo::scatter(
        x, as_vectors(positions), updates,
        {.window = window_dims(x.rank(), dim, positions.rank()), .inserted = {dim}, .map = {dim}},
        combiner);
  };
  const Value result = combined(combiner, x, updates);
  const bool extremum = combiner == hlo::Combiner::Maximum || combiner == hlo::Combiner::Minimum;
  if (!extremum || !hlo::is_floating(x.dtype())) return result;
  // XLA's CPU compiler lets a number beat a NaN where a scatter keeps an extremum.
  const Value hit = combined(hlo::Combiner::Or, hlo::is_nan(x), hlo::is_nan(updates));
  return select(hit, fill_like(x, std::numeric_limits<double>::quiet_NaN()), result);
}

Value sum_slices(Value updates, Value positions, int64_t dim, int64_t extent) {
  if (updates.rank() < dim + positions.rank())
    fail("slices at {} are not {}", to_string(positions.type()), to_string(updates.type()));
  Dims whole = updates.dims();
  whole.erase(whole.begin() + dim, whole.begin() + dim + positions.rank());
  whole.insert(whole.begin() + dim, extent);
  const Value zeros = hlo::constant(updates.graph(), {updates.dtype(), whole}, 0);
  return combine_slices(hlo::Combiner::Add, zeros, positions, updates, dim);
}

}  // namespace ippatsu::ops
