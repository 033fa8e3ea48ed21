#pragma once

// Rows of ctc_loss: connectionist temporal classification.

#include "ops/lowering.h"

namespace ippatsu::ops {

Results ctc_loss(Lowering& l);
Results ctc_loss_backward(Lowering& l);

}  // namespace ippatsu::ops
