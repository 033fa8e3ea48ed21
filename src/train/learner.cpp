#include "train/learner.h"

#include "device/ippatsu.h"
#include "train/clip.h"
#include "train/device_batch.h"

namespace ippatsu::train {

namespace {

// Cross entropy whose target gives `smoothing` evenly to the legal tiles (Szegedy et al.,
// "Rethinking the Inception architecture", 2016, kept off what the rules forbid).
torch::Tensor policy_loss(const torch::Tensor& logits, const DeviceBatch& batch, double smoothing) {
  const torch::Tensor log_p = torch::log_softmax(logits, 1);
  const torch::Tensor chosen = torch::nll_loss(log_p, batch.action);
  if (smoothing == 0) return chosen;
  const torch::Tensor legal = batch.legal.to(log_p.dtype());
  const torch::Tensor even = -((log_p * legal).sum(1) / legal.sum(1)).mean();
  return (1 - smoothing) * chosen + smoothing * even;
}

models::Naga make_model(const LearnerOptions& options) {
  torch::manual_seed(options.seed);  // the weights are drawn on the host: alike for every device
  models::Naga model(options.config, options.dropout);
  model->to(options.device);
  return model;
}

torch::optim::AdamWOptions optimizer_options(const LearnerOptions& options) {
  return torch::optim::AdamWOptions().weight_decay(options.weight_decay);
}

}  // namespace

Learner::Learner(const LearnerOptions& options)
    : options_(options),
      model_(make_model(options)),
      optimizer_(model_->parameters(), optimizer_options(options)) {}

torch::Tensor Learner::step(const data::Batch& batch, double learning_rate) {
  model_->train();
  const DeviceBatch inputs = to_device(batch, options_.device);
  const torch::Tensor loss =
      policy_loss(model_(inputs.planes, inputs.legal), inputs, options_.label_smoothing);
  descend(loss, learning_rate);
  return loss.detach();
}

void Learner::descend(const torch::Tensor& loss, double learning_rate) {
  loss.backward();
  if (options_.clip > 0) clip_gradients(model_->parameters(), options_.clip);
  for (auto& group : optimizer_.param_groups()) group.options().set_lr(learning_rate);
  optimizer_.step();
  // The gradients go before the step is run: nobody will read them, so they need no memory of their
  // own.
  optimizer_.zero_grad(/*set_to_none=*/true);
}

Agreement Learner::evaluate(const data::Batch& batch) {
  const torch::NoGradGuard no_grad;
  model_->eval();
  const DeviceBatch inputs = to_device(batch, options_.device);
  const torch::Tensor logits = model_(inputs.planes, inputs.legal);
  const torch::Tensor hits =
      std::get<1>(logits.topk(3, 1)).eq(inputs.action.unsqueeze(1)).to(torch::kFloat);
  return {policy_loss(logits, inputs, 0) * static_cast<double>(batch.size), hits.select(1, 0).sum(),
          hits.sum()};
}

void finish_step(torch::Device device) {
  if (device.is_privateuseone()) sync();
}

void wait_for(torch::Device device) {
  if (device.is_privateuseone()) wait();
}

}  // namespace ippatsu::train
