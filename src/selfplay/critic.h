#pragma once

// What a seat can expect of the round that it is in, from what it sees.

#include <span>
#include <vector>

#include <torch/torch.h>

#include "selfplay/explorer.h"

namespace ippatsu::selfplay {

class Critic {
 public:
  Critic(torch::Device device, uint64_t seed);

  // Of each moment, asked in batches.
  std::vector<float> values(std::span<const Moment> moments);

  // planes: u8 [B, mahjong::kPlanes, mahjong::kKinds] on the device. Gives the values [B].
  torch::Tensor forward(const torch::Tensor& planes);

  // Takes a step towards the targets [B]; gives the mean square error before it.
  torch::Tensor descend(const torch::Tensor& planes, const torch::Tensor& targets);

 private:
  torch::Device device_;
  torch::nn::Sequential net_;
  torch::optim::AdamW optimizer_;
};

}  // namespace ippatsu::selfplay
