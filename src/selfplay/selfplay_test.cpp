#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "models/naga.h"
#include "play/arena.h"
#include "play/placement.h"
#include "play/random_player.h"
#include "selfplay/policy_gradient.h"

namespace ippatsu::selfplay {
namespace {

using namespace mahjong;

constexpr double kTemperature = 0.7;

models::Naga tiny() {
  torch::manual_seed(3);
  models::Naga model(models::naga_config("tiny", Policy::Full));
  model->eval();
  return model;
}

// Two games of the explorer on two seats against chance.
std::vector<Moment> moments_of(std::shared_ptr<Explorer> explorer, int workers,
                               std::vector<play::PlayedGame>* games = nullptr) {
  const std::vector<play::PlannedGame> plan = play::rotating_plan(2, 2, 5);
  play::play_games(
      plan, {explorer, std::make_shared<play::RandomPlayer>(1)},
      {.rules = {.length = Length::East}, .workers = workers, .tables = 1},
      [](size_t) { return true; },
      [&](play::PlayedGame&& game) {
        if (games) games->push_back(std::move(game));
        return true;
      });
  return explorer->take();
}

TEST(Explorer, RemembersWhatItChoseAndWhatTheRoundBrought) {
  models::Naga model = tiny();
  const auto explorer = std::make_shared<Explorer>(model, torch::kCPU, kTemperature, 1);
  std::vector<play::PlayedGame> games;
  const std::vector<Moment> moments = moments_of(explorer, 1, &games);
  ASSERT_GT(moments.size(), 100U);
  nets::Evaluator evaluator(model, torch::kCPU);
  double rewards = 0;
  for (const Moment& moment : moments) {
    EXPECT_TRUE(moment.row.is_legal(moment.row.action));
    const torch::Tensor log_p =
        torch::log_softmax(evaluator.logits(std::span(&moment.row, 1)) / kTemperature, 1);
    EXPECT_NEAR(log_p[0][static_cast<int64_t>(moment.row.action)].item<float>(), moment.log_p,
                1e-4);
    EXPECT_TRUE(moment.last || moment.reward == 0);
    rewards += moment.reward;
  }
  // In every round both of its seats were asked, so that all that these won is among the rewards.
  double expected = 0;
  for (const play::PlayedGame& game : games)
    for (int place = 0; place < 4; place += 2)
      for (const play::SeatValues& round : play::round_rewards(game.events))
        expected += round[(place + static_cast<int>(game.index)) % kSeats];
  EXPECT_NEAR(rewards, expected, 1e-3);
  EXPECT_TRUE(moments.back().last);
  EXPECT_TRUE(explorer->take().empty());
}

TEST(Explorer, ItsGamesFollowFromTheSeed) {
  const auto actions = [](uint64_t seed) {
    std::vector<uint64_t> actions;
    for (const Moment& moment :
         moments_of(std::make_shared<Explorer>(tiny(), torch::kCPU, kTemperature, seed), 1))
      actions.push_back(moment.row.action);
    return actions;
  };
  EXPECT_EQ(actions(1), actions(1));
  EXPECT_NE(actions(1), actions(2));
}

// Two rounds: three moments, then one. With a trace of 1 an advantage is the round's result less
// what the critic expected; with 0 it looks one moment ahead.
TEST(PolicyGradient, AdvantagesStayWithinARound) {
  std::vector<Moment> moments(4);
  moments[2].last = moments[3].last = true;
  moments[2].reward = kPointsAUnit;
  moments[3].reward = -2 * kPointsAUnit;
  const std::vector<float> values = {0.5F, 0.25F, -0.5F, 1};
  const Judged whole = judge(moments, values, 1);
  EXPECT_EQ(whole.advantage, (std::vector<float>{0.5F, 0.75F, 1.5F, -3}));
  EXPECT_EQ(whole.target, (std::vector<float>{1, 1, 1, -2}));
  const Judged next = judge(moments, values, 0);
  EXPECT_EQ(next.advantage, (std::vector<float>{-0.25F, -0.75F, 1.5F, -3}));
}

// Whatever the first action of a decision is worth, the policy moves towards it if it is rewarded.
TEST(PolicyGradient, MovesTowardsWhatPaysAndTheCriticLearnsIt) {
  train::Learner learner({.config = models::naga_config("tiny", Policy::Full), .seed = 2});
  Critic critic(torch::kCPU, 2);
  const auto explorer = std::make_shared<Explorer>(learner.model(), torch::kCPU, 1, 1);
  std::vector<Moment> moments = moments_of(explorer, 1);
  for (Moment& moment : moments) {
    moment.last = true;
    moment.reward = moment.row.action % 2 == 0 ? kPointsAUnit : -kPointsAUnit;
  }
  const auto share_of_even = [&] {
    nets::Evaluator evaluator(learner.model(), torch::kCPU);
    std::vector<data::Row> rows;
    for (const Moment& moment : moments) rows.push_back(moment.row);
    const torch::Tensor p = torch::softmax(evaluator.logits(rows), 1);
    return p.index({torch::indexing::Slice(), torch::indexing::Slice(0, torch::indexing::None, 2)})
        .sum(1)
        .mean()
        .item<double>();
  };
  const double before = share_of_even();
  PolicyGradient gradient(learner, critic,
                          {.batch_size = 64, .epochs = 4, .learning_rate = 1e-3, .temperature = 1});
  const GradientFigures first = gradient.improve(moments, 1);
  EXPECT_GT(first.steps, 0);
  EXPECT_GT(share_of_even(), before + 0.1);
  const GradientFigures second = gradient.improve(moments, 2);
  EXPECT_LT(second.critic_loss, first.critic_loss);
  EXPECT_LT(second.entropy, first.entropy);
}

}  // namespace
}  // namespace ippatsu::selfplay
