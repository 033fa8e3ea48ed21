#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> resampling_rows() { return {}; }

}  // namespace ippatsu::ops
