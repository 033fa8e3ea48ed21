#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> complex_rows() { return {}; }

}  // namespace ippatsu::ops
