#include "models/naga.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "mahjong/features.h"

namespace ippatsu::models {

namespace {

constexpr int64_t kInputs = int64_t{mahjong::kPlanes} * mahjong::kKinds;
constexpr int64_t kInner = 4;  // the blocks' inner width, in widths

// Finite, so that a probability of 0 times it is 0 and not NaN.
constexpr double kIllegalLogit = -1e9;

constexpr std::array<NagaConfig, 3> kConfigs{
    {{"tiny", 128, 2}, {"small", 512, 6}, {"base", 1024, 24}}};

torch::nn::LayerNorm make_norm(int64_t width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

}  // namespace

std::span<const NagaConfig> naga_configs() { return kConfigs; }

NagaConfig naga_config(std::string_view name, mahjong::Policy policy) {
  const auto* config = std::ranges::find(kConfigs, name, &NagaConfig::name);
  if (config != kConfigs.end()) return {config->name, config->width, config->blocks, policy};
  std::vector<std::string_view> names;
  for (const NagaConfig& known : kConfigs) names.push_back(known.name);
  fail("there is no configuration `{}` of NAGA; there are {}", name, fmt::join(names, ", "));
}

NagaBlockImpl::NagaBlockImpl(int64_t width, double dropout)
    : norm_(register_module("norm", make_norm(width))),
      widen_(register_module("widen", torch::nn::Linear(width, kInner * width))),
      narrow_(register_module("narrow", torch::nn::Linear(kInner * width, width))),
      dropout_(register_module("dropout", torch::nn::Dropout(dropout))) {}

torch::Tensor NagaBlockImpl::forward(const torch::Tensor& x) {
  return x + dropout_(narrow_(torch::gelu(widen_(norm_(x)))));
}

NagaImpl::NagaImpl(const NagaConfig& config, double dropout)
    : policy_(config.policy),
      project_(register_module("project", torch::nn::Linear(kInputs, config.width))),
      blocks_(register_module("blocks", torch::nn::ModuleList())),
      norm_(register_module("norm", make_norm(config.width))),
      head_(register_module("head", torch::nn::Linear(config.width, config.actions()))) {
  for (int64_t i = 0; i < config.blocks; ++i) blocks_->push_back(NagaBlock(config.width, dropout));
}

torch::Tensor NagaImpl::forward(const torch::Tensor& planes, const torch::Tensor& legal) {
  torch::Tensor x = project_(planes.flatten(1).to(torch::kFloat));
  for (const auto& block : *blocks_) x = block->as<NagaBlock>()->forward(x);
  return head_(norm_(x)).masked_fill(legal.logical_not(), kIllegalLogit);
}

int64_t NagaImpl::parameter_count() const {
  int64_t count = 0;
  for (const torch::Tensor& parameter : parameters()) count += parameter.numel();
  return count;
}

std::string describe(const NagaConfig& config) {
  const int64_t d = config.width;
  const int64_t block = 2 * d + (d + 1) * kInner * d + (kInner * d + 1) * d;
  const int64_t count =
      (kInputs + 1) * d + config.blocks * block + 2 * d + (d + 1) * config.actions();
  const bool full = config.policy == mahjong::Policy::Full;
  return fmt::format("NAGA{} {}, {:.1f} million parameters", full ? "-full" : "", config.name,
                     static_cast<double>(count) / 1e6);
}

}  // namespace ippatsu::models
