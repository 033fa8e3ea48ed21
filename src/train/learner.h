#pragma once

// NAGA with its loss and optimizer on one device. A step only records and starts work; nothing here
// waits for the device but the reading of what it returns.

#include <cstdint>

#include <torch/torch.h>

#include "data/batch.h"
#include "models/naga.h"

namespace ippatsu::train {

struct LearnerOptions {
  models::NagaConfig config;
  torch::Device device = torch::kCPU;
  uint64_t seed = 1;  // of the initial weights and of dropout
  double weight_decay = 0.01;
  double clip = 1.0;  // the greatest norm of the gradient; 0: no clipping
  double label_smoothing = 0;
  double dropout = 0;
};

// Sums over the decisions of one or more batches, on the device.
struct Agreement {
  torch::Tensor loss;
  torch::Tensor top1;  // how often the tile chosen was the likeliest
  torch::Tensor top3;  // ... among the three likeliest
};

class Learner {
 public:
  explicit Learner(const LearnerOptions& options);

  // One step of AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019) on the
  // batch. Gives the mean loss before the step, a rank-0 tensor on the device.
  torch::Tensor step(const data::Batch& batch, double learning_rate);

  // The same on any loss of the model's.
  void descend(const torch::Tensor& loss, double learning_rate);

  // What the model makes of the batch, without training on it.
  Agreement evaluate(const data::Batch& batch);

  models::Naga& model() { return model_; }
  torch::optim::AdamW& optimizer() { return optimizer_; }
  torch::Device device() const { return options_.device; }

 private:
  LearnerOptions options_;
  models::Naga model_;
  torch::optim::AdamW optimizer_;
};

// Runs what the step recorded, where the device records: a no-op on the CPU.
void finish_step(torch::Device device);

// Waits until the device has nothing left to do.
void wait_for(torch::Device device);

}  // namespace ippatsu::train
