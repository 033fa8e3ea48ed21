#pragma once

// Advisers that need nothing but the rules.

#include <memory>
#include <string_view>

#include "analysis/adviser.h"
#include "play/heuristic_player.h"

namespace ippatsu::analysis {

// The heuristic player's liking for each action, graded: a softmax over its ratings.
class RulesOfThumb : public Adviser {
 public:
  AdviserFacts facts() const override;
  void advise(std::span<const mahjong::DecisionView> decisions,
              std::span<Opinion> opinions) override;

 private:
  play::HeuristicPlayer player_;
};

// The one action that a player would choose, at probability 1.
class ChoiceOf : public Adviser {
 public:
  explicit ChoiceOf(std::shared_ptr<const play::SimplePlayer> player)
      : player_(std::move(player)) {}

  AdviserFacts facts() const override;
  void advise(std::span<const mahjong::DecisionView> decisions,
              std::span<Opinion> opinions) override;

 private:
  std::shared_ptr<const play::SimplePlayer> player_;
};

// "heuristic" or "greedy"; null for any other name.
std::unique_ptr<Adviser> plain_adviser(std::string_view name);

}  // namespace ippatsu::analysis
