#include "nets/net_player.h"

#include <algorithm>
#include <bit>

#include "data/unpack.h"
#include "mahjong/features.h"
#include "train/checkpoint.h"

namespace ippatsu::nets {

namespace {

using namespace mahjong;

template <typename T>
std::span<T> row_of(std::vector<T>& values, int64_t row, int64_t width) {
  return std::span(values).subspan(static_cast<size_t>(row * width), static_cast<size_t>(width));
}

std::string name_of(const std::filesystem::path& path) {
  const bool telling = path.filename() != "checkpoint.safetensors" || !path.has_parent_path();
  return telling ? path.filename().string()
                 : (path.parent_path().filename() / path.filename()).string();
}

}  // namespace

torch::Tensor Evaluator::logits(std::span<const DecisionView> decisions) {
  std::vector<torch::Tensor> parts;
  for (size_t first = 0; first < decisions.size(); first += kLargestBatch)
    parts.push_back(evaluate(
        decisions.subspan(first, std::min<size_t>(kLargestBatch, decisions.size() - first))));
  if (parts.empty()) return torch::empty({0, action_count(policy())});
  return torch::cat(parts);
}

torch::Tensor Evaluator::evaluate(std::span<const DecisionView> decisions) {
  const auto n = static_cast<int64_t>(decisions.size());
  const auto padded = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(n)));
  planes_.assign(static_cast<size_t>(padded * kFeatureBits), 0);
  const int64_t actions = action_count(policy());
  legal_.assign(static_cast<size_t>(padded * actions), 1);
  std::array<uint64_t, kFeatureWords> bits;
  for (int64_t i = 0; i < n; ++i) {
    const DecisionView& decision = decisions[static_cast<size_t>(i)];
    encode(decision, bits);
    data::unpack_bits(bits, row_of(planes_, i, kFeatureBits));
    data::unpack_bits(decision.legal().words(), row_of(legal_, i, actions));
  }
  const torch::NoGradGuard no_grad;
  const torch::Tensor planes =
      torch::from_blob(planes_.data(), {padded, kPlanes, kKinds}, torch::kByte).to(device_);
  const torch::Tensor legal =
      torch::from_blob(legal_.data(), {padded, actions}, torch::kBool).to(device_);
  return model_(planes, legal).to(torch::kFloat).cpu().slice(0, 0, n);
}

NetPlayer::NetPlayer(const std::filesystem::path& path, torch::Device device)
    : name_(name_of(path)), evaluator_(train::load_model(path, device), device) {}

void NetPlayer::answer(std::span<const play::Question> questions, std::span<play::Answer> answers) {
  std::vector<DecisionView> decisions;
  std::vector<size_t> asked;
  for (size_t i = 0; i < questions.size(); ++i) {
    if (evaluator_.policy() == Policy::Discard) {
      answers[i].action = manners_.choose(questions[i]);
      if (!answers[i].action.is_discard()) continue;
    }
    decisions.push_back({.table = questions[i].table, .seat = questions[i].seat});
    asked.push_back(i);
  }
  if (decisions.empty()) return;
  const std::lock_guard lock(mutex_);
  const torch::Tensor best = evaluator_.logits(decisions).argmax(1);
  const auto index = best.accessor<int64_t, 1>();
  for (size_t i = 0; i < asked.size(); ++i)
    answers[asked[i]].action = Action::of_index(static_cast<int>(index[static_cast<int64_t>(i)]));
}

}  // namespace ippatsu::nets
