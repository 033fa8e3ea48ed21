#pragma once

// Element types of ATen and of StableHLO, one table.

#include <c10/core/ScalarType.h>

#include "hlo/type.h"

namespace ippatsu::ops {

// Fails for types a device cannot hold (quantized, 8-bit floats ...).
hlo::DType dtype_of(c10::ScalarType type);

c10::ScalarType scalar_type_of(hlo::DType dtype);

}  // namespace ippatsu::ops
