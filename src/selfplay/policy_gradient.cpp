#include "selfplay/policy_gradient.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/permutation.h"
#include "train/device_batch.h"

namespace ippatsu::selfplay {

namespace {

// Mean 0 and deviation 1.
void normalize(std::vector<float>& values) {
  if (values.empty()) return;
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double square = 0;
  for (const float value : values) square += (value - mean) * (value - mean);
  const double deviation = std::sqrt(square / n) + 1e-8;
  for (float& value : values) value = static_cast<float>((value - mean) / deviation);
}

double variance(std::span<const float> values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, square = 0;
  for (const float value : values) {
    sum += value;
    square += double{value} * value;
  }
  return square / n - (sum / n) * (sum / n);
}

// Of the rounds' results, which each moment is told of.
double explained_share(std::span<const Moment> moments, std::span<const float> values) {
  std::vector<float> results(moments.size()), errors(moments.size());
  float result = 0;
  for (size_t i = moments.size(); i-- > 0;) {
    if (moments[i].last) result = moments[i].reward / kPointsAUnit;
    results[i] = result;
    errors[i] = result - values[i];
  }
  return 1 - variance(errors) / variance(results);
}

std::vector<float> picked(std::span<const float> values, std::span<const int64_t> places) {
  std::vector<float> picked;
  for (const int64_t place : places) picked.push_back(values[static_cast<size_t>(place)]);
  return picked;
}

}  // namespace

Judged judge(std::span<const Moment> moments, std::span<const float> values, double trace) {
  Judged judged{.advantage = std::vector<float>(moments.size()),
                .target = std::vector<float>(moments.size())};
  double advantage = 0;
  for (size_t i = moments.size(); i-- > 0;) {
    const bool last = moments[i].last;
    const double next = last ? moments[i].reward / kPointsAUnit : values[i + 1];
    advantage = next - values[i] + (last ? 0 : trace * advantage);
    judged.advantage[i] = static_cast<float>(advantage);
    judged.target[i] = static_cast<float>(values[i] + advantage);
  }
  return judged;
}

GradientFigures PolicyGradient::improve(std::span<const Moment> moments, uint64_t seed) {
  const std::vector<float> values = critic_.values(moments);
  Judged judged = judge(moments, values, options_.trace);
  normalize(judged.advantage);
  const auto count = static_cast<int64_t>(moments.size());
  std::vector<torch::Tensor> sums;
  std::vector<int64_t> order(static_cast<size_t>(options_.batch_size));
  for (int64_t epoch = 0; epoch < options_.epochs; ++epoch) {
    const data::Permutation permutation(count, seed, epoch);
    for (int64_t first = 0; first + options_.batch_size <= count; first += options_.batch_size) {
      for (int64_t i = 0; i < options_.batch_size; ++i)
        order[static_cast<size_t>(i)] = permutation[first + i];
      sums.push_back(step(moments, judged, order));
      train::finish_step(learner_.device());
    }
  }
  GradientFigures figures{.steps = static_cast<int64_t>(sums.size())};
  if (sums.empty()) return figures;
  const torch::Tensor means = torch::stack(sums).mean(0).cpu();
  const auto mean = means.accessor<float, 1>();
  figures.entropy = mean[0];
  figures.divergence = mean[1];
  figures.clipped = mean[2];
  figures.critic_loss = mean[3];
  figures.explained = explained_share(moments, values);
  return figures;
}

// Gives entropy, divergence, share clipped and the critic's loss, [4].
torch::Tensor PolicyGradient::step(std::span<const Moment> moments, const Judged& judged,
                                   std::span<const int64_t> order) {
  const auto n = static_cast<int64_t>(order.size());
  const torch::Device device = learner_.device();
  std::vector<float> log_p;
  batch_.resize(n, mahjong::Policy::Full);
  for (int64_t i = 0; i < n; ++i) {
    const Moment& moment = moments[static_cast<size_t>(order[static_cast<size_t>(i)])];
    batch_.set(i, moment.row);
    log_p.push_back(moment.log_p);
  }
  const auto floats = [&](const std::vector<float>& values) {
    return train::to_device(values, {n}, torch::kFloat, device);
  };
  const train::DeviceBatch inputs = train::to_device(batch_, device);
  const torch::Tensor advantage = floats(picked(judged.advantage, order));

  const torch::Tensor all_log_p =
      torch::log_softmax(learner_.model()(inputs.planes, inputs.legal) / options_.temperature, 1);
  const torch::Tensor new_log_p = all_log_p.gather(1, inputs.action.unsqueeze(1)).squeeze(1);
  const torch::Tensor change = new_log_p - floats(log_p);
  const torch::Tensor ratio = change.exp();
  const torch::Tensor held = ratio.clamp(1 - options_.clip, 1 + options_.clip);
  const torch::Tensor gain = torch::minimum(ratio * advantage, held * advantage).mean();
  const torch::Tensor entropy = -(all_log_p.exp() * all_log_p).sum(1).mean();
  learner_.descend(-gain - options_.entropy * entropy, options_.learning_rate);
  const torch::Tensor critic_loss =
      critic_.descend(inputs.planes, floats(picked(judged.target, order)));

  const torch::NoGradGuard no_grad;
  const torch::Tensor divergence = (ratio - 1 - change).mean();  // Schulman's low-variance estimate
  const torch::Tensor clipped = ratio.ne(held).to(torch::kFloat).mean();
  return torch::stack({entropy.detach(), divergence.detach(), clipped, critic_loss});
}

}  // namespace ippatsu::selfplay
