#pragma once

// What a compiled program takes and gives on one device. Internal to the layer.

#include <optional>
#include <vector>

#include <pjrt_c_api.h>

#include "hlo/type.h"

namespace ippatsu::pjrt {

// Nothing where the plugin does not show its optimized program, or shows it in a way we don't read:
// the C API has no other way to ask.
std::optional<std::vector<hlo::Type>> parameter_types(const PJRT_Api* api,
                                                      PJRT_Executable* program);

// Fails on an element type that Ippatsu does not know.
std::vector<hlo::Type> output_types(const PJRT_Api* api, PJRT_Executable* program);

}  // namespace ippatsu::pjrt
