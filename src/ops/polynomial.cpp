#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> polynomial_rows() { return {}; }

}  // namespace ippatsu::ops
