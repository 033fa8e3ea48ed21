#pragma once

// Element types as the C API and as XLA's own messages number them. Internal to the layer.

#include <optional>

#include <pjrt_c_api.h>

#include "hlo/type.h"

namespace ippatsu::pjrt {

PJRT_Buffer_Type to_pjrt(hlo::DType dtype);

// Nothing for the types that StableHLO programs of ours never have (float8, int4, tokens ...).
std::optional<hlo::DType> from_pjrt(int type);

// The same for `PrimitiveType` of xla_data.proto.
int to_xla(hlo::DType dtype);
std::optional<hlo::DType> from_xla(int primitive_type);

}  // namespace ippatsu::pjrt
