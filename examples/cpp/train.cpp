// A small network learns which points lie inside a circle.

#include <exception>
#include <iostream>

#include <torch/torch.h>

#include "device/ippatsu.h"

int main() try {
  ippatsu::initialize();  // loads the plugin that IPPATSU_PLUGIN names, or else `cpu`
  const torch::Device device("ippatsu");
  torch::manual_seed(1);

  const torch::Tensor points = torch::rand({1024, 2}, device) * 2 - 1;
  const torch::Tensor inside = (points.square().sum(1) < 0.5).to(torch::kLong);

  using torch::nn::GELU, torch::nn::Linear;
  torch::nn::Sequential model(Linear(2, 64), GELU(), Linear(64, 2));
  model->to(device);
  torch::optim::AdamW optimizer(model->parameters(), torch::optim::AdamWOptions(1e-2));

  for (int step = 1; step <= 200; ++step) {
    optimizer.zero_grad();
    const auto loss = torch::nn::functional::cross_entropy(model->forward(points), inside);
    loss.backward();
    optimizer.step();
    ippatsu::sync();  // runs the step as one program; from the third on, one compiled before
    if (step % 50 == 0) std::cout << "step " << step << ": loss " << loss.item<float>() << "\n";
  }

  const auto right = model->forward(points).argmax(1) == inside;
  const float accuracy = right.to(torch::kFloat).mean().item<float>();
  std::cout << "accuracy " << accuracy << "\n" << ippatsu::metrics_report();
  return accuracy > 0.95 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
