#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> pooling_rows() { return {}; }

}  // namespace ippatsu::ops
