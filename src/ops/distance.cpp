#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> distance_rows() { return {}; }

}  // namespace ippatsu::ops
