#pragma once

#include "ops/lowering.h"

namespace ippatsu::ops {

// The singular value decomposition a = u diag(values) v^H, greatest value first; u and v have
// min(m, n) columns.
struct SingularValues {
  Value u;
  Value values;
  Value v;
};
SingularValues singular_values(Value a);

}  // namespace ippatsu::ops
