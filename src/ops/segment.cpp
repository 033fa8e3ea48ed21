#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> segment_rows() { return {}; }

}  // namespace ippatsu::ops
