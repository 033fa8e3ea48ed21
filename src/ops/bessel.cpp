#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> bessel_rows() { return {}; }

}  // namespace ippatsu::ops
