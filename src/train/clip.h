#pragma once

#include <vector>

#include <torch/torch.h>

namespace ippatsu::train {

// Scales the gradients so that their common 2-norm is at most `limit` (Pascanu et al., "On the
// difficulty of training recurrent neural networks", 2013). Gives that norm before scaling, a
// rank-0 tensor: unlike torch's own function of this kind, it never waits for the device.
torch::Tensor clip_gradients(const std::vector<torch::Tensor>& parameters, double limit);

}  // namespace ippatsu::train
