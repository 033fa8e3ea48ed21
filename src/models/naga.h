#pragma once

// NAGA's policy: which of the tiles in hand to discard; as NAGA-full, every choice at the table.
//
// A stack of the feed-forward blocks of GPT-3 (Brown et al., "Language models are few-shot
// learners", 2020) without attention: each is x + W2 gelu(W1 norm(x)), with layer normalization in
// front (Xiong et al., "On layer normalization in the transformer architecture", 2020).

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <torch/torch.h>

#include "mahjong/policy.h"

namespace ippatsu::models {

struct NagaConfig {
  std::string_view name;
  int64_t width = 0;  // d; the blocks are 4 d wide inside
  int64_t blocks = 0;
  mahjong::Policy policy = mahjong::Policy::Discard;

  int64_t actions() const { return mahjong::action_count(policy); }
};

// tiny (128, 2 blocks), small (512, 6) and base (1024, 24).
std::span<const NagaConfig> naga_configs();

// The configuration of that name, for the policy. Fails, listing the names there are.
NagaConfig naga_config(std::string_view name, mahjong::Policy policy = mahjong::Policy::Discard);

class NagaBlockImpl : public torch::nn::Module {
 public:
  NagaBlockImpl(int64_t width, double dropout);
  torch::Tensor forward(const torch::Tensor& x);  // [B, d] to [B, d]

 private:
  torch::nn::LayerNorm norm_;
  torch::nn::Linear widen_;
  torch::nn::Linear narrow_;
  torch::nn::Dropout dropout_;
};
TORCH_MODULE(NagaBlock);

class NagaImpl : public torch::nn::Module {
 public:
  // `dropout` is the share of each block's output that is dropped while training, 0 <= dropout < 1.
  explicit NagaImpl(const NagaConfig& config, double dropout = 0);

  // planes: [B, mahjong::kPlanes, mahjong::kKinds] of 0 and 1, any type; legal: [B, A], true where
  // the action is legal, A being 37 (tiles) or 85 (mahjong::Action). Gives the logits [B, A]; those
  // of illegal actions are so low that their probability is 0.
  torch::Tensor forward(const torch::Tensor& planes, const torch::Tensor& legal);

  int64_t parameter_count() const;
  mahjong::Policy policy() const { return policy_; }

 private:
  mahjong::Policy policy_;
  torch::nn::Linear project_;
  torch::nn::ModuleList blocks_;
  torch::nn::LayerNorm norm_;
  torch::nn::Linear head_;
};
TORCH_MODULE(Naga);

// "NAGA small, 15.1 million parameters", "NAGA-full small, ..."
std::string describe(const NagaConfig& config);

}  // namespace ippatsu::models
