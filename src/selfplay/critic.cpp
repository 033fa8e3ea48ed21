#include "selfplay/critic.h"

#include "mahjong/features.h"
#include "train/device_batch.h"

namespace ippatsu::selfplay {

namespace {

constexpr int64_t kInputs = int64_t{mahjong::kPlanes} * mahjong::kKinds;
constexpr int64_t kWidth = 128;
constexpr int64_t kBatch = 1024;

// All moments of a round have one result: a critic that learns fast learns those by heart.
constexpr double kLearningRate = 1e-4;
constexpr double kWeightDecay = 0.1;

torch::nn::Sequential make_net(torch::Device device, uint64_t seed) {
  namespace nn = torch::nn;
  torch::manual_seed(seed);
  nn::Sequential net(nn::Linear(kInputs, kWidth), nn::GELU(), nn::Linear(kWidth, kWidth),
                     nn::GELU(), nn::Linear(kWidth, 1));
  net->to(device);
  return net;
}

}  // namespace

Critic::Critic(torch::Device device, uint64_t seed)
    : device_(device),
      net_(make_net(device, seed)),
      optimizer_(net_->parameters(),
                 torch::optim::AdamWOptions(kLearningRate).weight_decay(kWeightDecay)) {}

torch::Tensor Critic::forward(const torch::Tensor& planes) {
  return net_->forward(planes.flatten(1).to(torch::kFloat)).squeeze(1);
}

std::vector<float> Critic::values(std::span<const Moment> moments) {
  const torch::NoGradGuard no_grad;
  std::vector<float> values;
  data::Batch batch;
  batch.resize(kBatch, mahjong::Policy::Full);
  for (size_t first = 0; first < moments.size(); first += kBatch) {
    const auto part = moments.subspan(first, std::min<size_t>(kBatch, moments.size() - first));
    for (size_t i = 0; i < part.size(); ++i) batch.set(static_cast<int64_t>(i), part[i].row);
    const torch::Tensor host = forward(train::to_device(batch, device_).planes).cpu();
    const float* begin = host.const_data_ptr<float>();
    values.insert(values.end(), begin, begin + part.size());
  }
  return values;
}

torch::Tensor Critic::descend(const torch::Tensor& planes, const torch::Tensor& targets) {
  const torch::Tensor loss = torch::mse_loss(forward(planes), targets);
  loss.backward();
  optimizer_.step();
  optimizer_.zero_grad(/*set_to_none=*/true);
  return loss.detach();
}

}  // namespace ippatsu::selfplay
