#include "train/learner.h"

#include "device/ippatsu.h"
#include "mahjong/features.h"
#include "train/clip.h"

namespace ippatsu::train {

namespace {

// A batch as tensors on the device. Planes and masks travel as bytes, a quarter of their size as
// floats.
struct DeviceBatch {
  torch::Tensor planes;  // u8 [B, kPlanes, kKinds]
  torch::Tensor legal;   // bool [B, A]
  torch::Tensor action;  // i64 [B]
};

template <typename T>
torch::Tensor to_device(const std::vector<T>& values, torch::IntArrayRef shape, torch::Dtype dtype,
                        torch::Device device) {
  const torch::Tensor host = torch::from_blob(const_cast<T*>(values.data()), shape, dtype);
  // On the CPU the tensor must not share the batch's memory, which the loader takes back.
  return device.is_cpu() ? host.clone() : host.to(device);
}

DeviceBatch to_device(const data::Batch& batch, torch::Device device) {
  const int64_t n = batch.size;
  return {to_device(batch.planes, {n, mahjong::kPlanes, mahjong::kKinds}, torch::kByte, device),
          to_device(batch.legal, {n, batch.actions}, torch::kBool, device),
          to_device(batch.action, {n}, torch::kLong, device)};
}

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
  loss.backward();
  if (options_.clip > 0) clip_gradients(model_->parameters(), options_.clip);
  for (auto& group : optimizer_.param_groups()) group.options().set_lr(learning_rate);
  optimizer_.step();
  // The gradients go before the step is run: nobody will read them, so they need no memory of their
  // own.
  optimizer_.zero_grad(/*set_to_none=*/true);
  return loss.detach();
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
