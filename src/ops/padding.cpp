#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> padding_rows() { return {}; }

}  // namespace ippatsu::ops
