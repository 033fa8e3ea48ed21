#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> factorization_rows() { return {}; }

}  // namespace ippatsu::ops
