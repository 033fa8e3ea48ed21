#include "nets/net_player.h"

#include <algorithm>
#include <bit>

#include "mahjong/features.h"
#include "train/checkpoint.h"

namespace ippatsu::nets {

namespace {

using namespace mahjong;

// How many rows the next batch has, of `left` decisions.
int64_t batch_rows(int64_t left) {
  const auto padded = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(left)));
  const int64_t rows = left > padded - padded / 4 ? padded : padded / 2;
  return std::clamp(rows, Evaluator::kSmallestBatch, Evaluator::kLargestBatch);
}

}  // namespace

std::string name_of_net(const std::filesystem::path& path) {
  const bool telling = path.filename() != "checkpoint.safetensors" || !path.has_parent_path();
  return telling ? path.filename().string()
                 : (path.parent_path().filename() / path.filename()).string();
}

torch::Tensor Evaluator::logits(std::span<const DecisionView> decisions) {
  rows_.clear();
  for (const DecisionView& decision : decisions) rows_.push_back(data::row_of(decision, {}));
  return logits(rows_);
}

torch::Tensor Evaluator::logits(std::span<const data::Row> rows) {
  std::vector<torch::Tensor> parts;
  while (!rows.empty()) {
    const auto left = static_cast<int64_t>(rows.size());
    const int64_t padded = batch_rows(left);
    const auto taken = static_cast<size_t>(std::min(left, padded));
    parts.push_back(evaluate(rows.first(taken), padded));
    rows = rows.subspan(taken);
  }
  if (parts.empty()) return torch::empty({0, action_count(policy())});
  return torch::cat(parts);
}

torch::Tensor Evaluator::evaluate(std::span<const data::Row> rows, int64_t padded) {
  const auto n = static_cast<int64_t>(rows.size());
  batch_.resize(padded, policy());
  for (int64_t i = 0; i < padded; ++i) batch_.set(i, rows[static_cast<size_t>(std::min(i, n - 1))]);
  const torch::NoGradGuard no_grad;
  const torch::Tensor planes =
      torch::from_blob(batch_.planes.data(), {padded, kPlanes, kKinds}, torch::kByte).to(device_);
  const torch::Tensor legal =
      torch::from_blob(batch_.legal.data(), {padded, batch_.actions}, torch::kBool).to(device_);
  return model_(planes, legal).to(torch::kFloat).cpu().slice(0, 0, n);
}

NetPlayer::NetPlayer(const std::filesystem::path& path, torch::Device device)
    : name_(name_of_net(path)), evaluator_(train::load_model(path, device), device) {}

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
