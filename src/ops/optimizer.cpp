#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> optimizer_rows() { return {}; }

}  // namespace ippatsu::ops
