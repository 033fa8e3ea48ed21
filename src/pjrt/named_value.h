#pragma once

// Options as the C API passes them. Internal to the layer.

#include <span>
#include <vector>

#include <pjrt_c_api.h>

#include "pjrt/options.h"

namespace ippatsu::pjrt {

// The values point into `options`, which must outlive them.
std::vector<PJRT_NamedValue> to_named_values(const Options& options);

// Values of a type that the header does not name are left out.
Options from_named_values(std::span<const PJRT_NamedValue> values);

}  // namespace ippatsu::pjrt
