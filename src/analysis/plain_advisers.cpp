#include "analysis/plain_advisers.h"

#include <cmath>

#include <fmt/format.h>

#include "play/greedy_player.h"

namespace ippatsu::analysis {

using namespace mahjong;

namespace {

// Live tiles by which one action has to be better to be thought e times as likely.
constexpr double kTilesPerE = 2;

play::Question question_of(const DecisionView& decision) {
  return {.table = decision.table, .seat = decision.seat, .game = 0, .events = {}};
}

Opinion softmax(const play::Ratings& ratings) {
  const double most = std::ranges::max(ratings);
  play::Ratings weights;
  double sum = 0;
  for (size_t i = 0; i < ratings.size(); ++i)
    sum += weights[i] = std::exp((ratings[i] - most) / kTilesPerE);
  Opinion opinion;
  for (size_t i = 0; i < weights.size(); ++i)
    opinion.probability[i] = static_cast<float>(weights[i] / sum);
  return opinion;
}

}  // namespace

AdviserFacts RulesOfThumb::facts() const {
  return {.name = player_.name(), .what = "rules of thumb"};
}

void RulesOfThumb::advise(std::span<const DecisionView> decisions, std::span<Opinion> opinions) {
  for (size_t i = 0; i < decisions.size(); ++i)
    opinions[i] = softmax(player_.rate(question_of(decisions[i])));
}

AdviserFacts ChoiceOf::facts() const {
  return {.name = player_->name(), .what = "one choice, without a degree"};
}

void ChoiceOf::advise(std::span<const DecisionView> decisions, std::span<Opinion> opinions) {
  for (size_t i = 0; i < decisions.size(); ++i) {
    opinions[i] = {};
    opinions[i].probability[player_->choose(question_of(decisions[i])).index()] = 1;
  }
}

std::unique_ptr<Adviser> plain_adviser(std::string_view name) {
  if (name == "heuristic") return std::make_unique<RulesOfThumb>();
  if (name == "greedy") return std::make_unique<ChoiceOf>(std::make_shared<play::GreedyPlayer>());
  return nullptr;
}

}  // namespace ippatsu::analysis
