#pragma once

// Windows along one dim that need not be equally long or equally far apart, read by one gather. The
// windows of adaptive pooling, the columns of im2col, and what flows back through both.

#include "ops/lowering.h"

namespace ippatsu::ops {

// Place j of window i is element positions[i, j] of the dim, or nothing where inside[i, j] is
// false.
struct Windows {
  Value positions;  // i64[windows, places]
  Value inside;     // i1[windows, places]
};

// `dim` becomes two dims, the windows and the places in each; `filling` stands where nothing is.
Value read_windows(Value x, int64_t dim, const Windows& windows, Value filling);

// `dim` becomes the windows, each the sum of what is inside (of booleans: whether any is true).
Value sum_windows(Value x, int64_t dim, const Windows& windows);

// A list that a schema calls kernel_size, stride ...: a number per dim, or one for all of `count`.
Dims window_numbers(Lowering& l, std::string_view name, size_t count, int64_t least);

}  // namespace ippatsu::ops
