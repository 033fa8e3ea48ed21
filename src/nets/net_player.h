#pragma once

// A trained net at the table. NAGA-full makes every choice. A net for discards leaves to rules of
// thumb whether to call, declare riichi or win; they see the same.

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "data/batch.h"
#include "models/naga.h"
#include "play/heuristic_player.h"

namespace ippatsu::nets {

// How a checkpoint is told from others: "naga.safetensors", "first/checkpoint.safetensors".
std::string name_of_net(const std::filesystem::path& path);

// Asks a model about many decisions at once. Batches have a power of two of rows, so that a handful
// of programs serves all; what is left over fills smaller ones, padded by a third at most.
class Evaluator {
 public:
  static constexpr int64_t kLargestBatch = 512;
  static constexpr int64_t kSmallestBatch = 16;

  Evaluator(models::Naga model, torch::Device device) : model_(std::move(model)), device_(device) {}

  mahjong::Policy policy() const { return model_->policy(); }

  // The logits [n, A] on the host, a row a decision, A being the actions of the policy; those of
  // illegal ones are so low that their probability is 0.
  torch::Tensor logits(std::span<const mahjong::DecisionView> decisions);

  // The same of rows; what they say was chosen does not matter.
  torch::Tensor logits(std::span<const data::Row> rows);

 private:
  torch::Tensor evaluate(std::span<const data::Row> rows, int64_t padded);

  models::Naga model_;
  torch::Device device_;
  data::Batch batch_;
  std::vector<data::Row> rows_;
};

class NetPlayer : public play::Player {
 public:
  // Reads the checkpoint at `path`. Fails where it is damaged or of another feature version.
  NetPlayer(const std::filesystem::path& path, torch::Device device);
  NetPlayer(std::string name, models::Naga model, torch::Device device)
      : name_(std::move(name)), evaluator_(std::move(model), device) {}

  std::string name() const override { return name_; }
  void answer(std::span<const play::Question> questions, std::span<play::Answer> answers) override;

 private:
  std::string name_;
  play::HeuristicPlayer manners_;
  std::mutex mutex_;  // of the evaluator: one batch at a time
  Evaluator evaluator_;
};

}  // namespace ippatsu::nets
