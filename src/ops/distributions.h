#pragma once

// Rows of distributions whose parameters are tensors. Each element has its own, so samplers that
// reject go on until every element has accepted.

#include "ops/lowering.h"

namespace ippatsu::ops {

Results multinomial(Lowering& l);
Results poisson(Lowering& l);
Results binomial(Lowering& l);
Results standard_gamma(Lowering& l);
Results sample_dirichlet(Lowering& l);

}  // namespace ippatsu::ops
