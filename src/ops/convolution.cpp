#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> convolution_rows() { return {}; }

}  // namespace ippatsu::ops
