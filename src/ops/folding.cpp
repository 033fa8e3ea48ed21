#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> folding_rows() { return {}; }

}  // namespace ippatsu::ops
