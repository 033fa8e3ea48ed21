#include "ops/table.h"

namespace ippatsu::ops {

std::span<const OpRow> fourier_rows() { return {}; }

}  // namespace ippatsu::ops
