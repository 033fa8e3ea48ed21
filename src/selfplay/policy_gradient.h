#pragma once

// Proximal policy optimization (Schulman et al., 2017) with advantages by generalized advantage
// estimation (Schulman et al., "High-dimensional continuous control", 2016), both within a round.

#include <cstdint>
#include <span>
#include <vector>

#include "selfplay/critic.h"
#include "selfplay/explorer.h"
#include "train/learner.h"

namespace ippatsu::selfplay {

struct GradientOptions {
  int64_t batch_size = 1024;  // decisions a step; what is left over of an epoch goes unused
  int64_t epochs = 1;         // over the moments of an iteration
  double learning_rate = 5e-5;
  double temperature = 0.5;  // of the policy that played
  double clip = 0.2;         // how far the ratio of new to old probability may move a choice
  double entropy = 0;        // weight of the policy's mean entropy
  double trace = 0.95;       // lambda of the advantages
};

// Means over the steps of an iteration.
struct GradientFigures {
  int64_t steps = 0;
  double entropy = 0;     // of the policy, nats
  double divergence = 0;  // of the new policy from the one that played, nats
  double clipped = 0;     // share of choices that were held back
  double critic_loss = 0;
  double explained = 0;  // share of the returns' variance that the critic knew before
};

// How good each choice was beyond what the critic expected there, and what the critic should have
// said; in units of kPointsAUnit rank points.
struct Judged {
  std::vector<float> advantage;
  std::vector<float> target;
};
inline constexpr float kPointsAUnit = 45;

// `values` are the critic's, one a moment.
Judged judge(std::span<const Moment> moments, std::span<const float> values, double trace);

class PolicyGradient {
 public:
  // The learner and the critic must outlive it and be on the same device.
  PolicyGradient(train::Learner& learner, Critic& critic, const GradientOptions& options)
      : learner_(learner), critic_(critic), options_(options) {}

  // Improves both by what was remembered, in an order that the seed decides.
  GradientFigures improve(std::span<const Moment> moments, uint64_t seed);

 private:
  torch::Tensor step(std::span<const Moment> moments, const Judged& judged,
                     std::span<const int64_t> order);

  train::Learner& learner_;
  Critic& critic_;
  GradientOptions options_;
  data::Batch batch_;
};

}  // namespace ippatsu::selfplay
