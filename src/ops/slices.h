#pragma once

// Slices of a tensor along one dim, chosen by a tensor of positions: rows of a table, pixels of an
// image, neighbours along an axis.

#include "ops/lowering.h"

namespace ippatsu::ops {

// The dims of `positions` take the place of `dim`; a position out of range reads the nearest slice.
Value take_slices(Value x, Value positions, int64_t dim);

// x with `updates`, shaped as take_slices gives them, combined into the slices at `positions`.
// Those out of range are dropped. A NaN is greater and less than every number.
Value combine_slices(hlo::Combiner combiner, Value x, Value positions, Value updates, int64_t dim);

// The same into nothing: zeros, with `extent` slices along `dim`. Slices with equal positions add
// up.
Value sum_slices(Value updates, Value positions, int64_t dim, int64_t extent);

}  // namespace ippatsu::ops
