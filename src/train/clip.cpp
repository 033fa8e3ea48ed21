#include "train/clip.h"

namespace ippatsu::train {

torch::Tensor clip_gradients(const std::vector<torch::Tensor>& parameters, double limit) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> gradients, norms;
  for (const torch::Tensor& parameter : parameters) {
    if (!parameter.grad().defined()) continue;
    gradients.push_back(parameter.grad());
    norms.push_back(torch::linalg_vector_norm(parameter.grad(), 2));
  }
  if (norms.empty()) return torch::zeros({});
  const torch::Tensor norm = torch::linalg_vector_norm(torch::stack(norms), 2);
  const torch::Tensor scale = torch::clamp_max(limit / (norm + 1e-6), 1.0);
  for (torch::Tensor& gradient : gradients) gradient.mul_(scale);
  return norm;
}

}  // namespace ippatsu::train
