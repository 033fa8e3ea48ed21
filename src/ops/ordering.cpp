#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> ordering_rows() { return {}; }

}  // namespace ippatsu::ops
