#pragma once

// Views as HLO. A view names elements of a flat array by sizes, strides and an offset, as ATen
// does; reading and writing through it become slices, transposes and broadcasts where the strides
// are those of a box cut out of a row-major array, and one gather or scatter where they are not.

#include <cstdint>
#include <span>

#include "hlo/builder.h"

namespace ippatsu::trace {

// Element (i0, i1, ...) is at offset + i0 * strides[0] + i1 * strides[1] + ... of the flat array.
struct View {
  std::span<const int64_t> sizes;
  std::span<const int64_t> strides;  // not negative
  int64_t offset = 0;

  int64_t elements() const { return hlo::element_count(sizes); }
};

// Whether the view is the whole array of `elements`, in order.
bool covers(const View& view, int64_t elements);

// The elements that `view` names of `array` (of any shape, taken row-major), in the view's shape.
hlo::Value strided_read(hlo::Value array, const View& view);

// `array` with the elements that `view` names replaced by `update`, which has the view's shape.
// Where the view names an element twice, which update it gets is not defined. The result is shaped
// as `update` where the view covers the array, else as `array`.
hlo::Value strided_write(hlo::Value array, const View& view, hlo::Value update);

}  // namespace ippatsu::trace
