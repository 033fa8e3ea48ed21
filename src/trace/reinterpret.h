#pragma once

// The memory of an array seen as another element type, as `tensor.view(dtype)` does.

#include "hlo/builder.h"

namespace ippatsu::trace {

// The first `elements` elements of `dtype` that lie in the memory of `array` (of any shape, taken
// row-major). Memory past its end reads as zero. The result is flat unless the type stays.
hlo::Value reinterpret(hlo::Value array, hlo::DType dtype, int64_t elements);

}  // namespace ippatsu::trace
