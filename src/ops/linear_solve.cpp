#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> linear_solve_rows() { return {}; }

}  // namespace ippatsu::ops
