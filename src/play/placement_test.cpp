#include "play/placement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "play/arena.h"
#include "play/greedy_player.h"
#include "play/statistics.h"

namespace ippatsu::play {
namespace {

using namespace mahjong;

constexpr RuleSet kRules{};

double sum_of(const SeatValues& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Placement, EqualScoresPromiseNothing) {
  for (const double value : expected_rank_points({25000, 25000, 25000, 25000}, 8, kRules))
    EXPECT_NEAR(value, 0, 1e-9);
}

TEST(Placement, AtTheEndTheRanksCount) {
  EXPECT_EQ(expected_rank_points({20000, 25000, 35000, 20000}, 0, kRules),
            (SeatValues{0, 45, 90, -135}));
}

// Of two seats only the difference counts; its normal distribution gives the odds of a closed form:
// far behind and far ahead stand the other two.
TEST(Placement, TwoSeatsPlayForTheMiddlePlaces) {
  const SeatValues values = expected_rank_points({200000, 26000, 20000, -150000}, 1, kRules);
  const double odds = 0.5 * std::erfc(-6000.0 / (4500 * std::sqrt(2)) / std::sqrt(2));
  EXPECT_NEAR(values[1], 45 * odds, 0.2);
  EXPECT_NEAR(values[2], 45 * (1 - odds), 0.2);
  EXPECT_NEAR(values[0], 90, 0.1);
  EXPECT_NEAR(values[3], -135, 0.1);
}

TEST(Placement, ALeadIsWorthMoreTheFewerRoundsAreLeft) {
  const Scores scores = {33000, 25000, 22000, 20000};
  double before = 0;
  for (const double rounds : {11.2, 5.6, 2.8, 1.4}) {
    const SeatValues values = expected_rank_points(scores, rounds, kRules);
    EXPECT_NEAR(sum_of(values), 0, 1e-9);
    EXPECT_GT(values[0], before);
    EXPECT_LT(values[3], values[2]);
    before = values[0];
  }
}

TEST(Placement, RewardsOfAGameSumToItsRankPoints) {
  const std::vector<PlannedGame> plan = rotating_plan(3, 1, 9);
  play_games(
      plan, {std::make_shared<GreedyPlayer>()}, {.rules = kRules}, [](size_t) { return true; },
      [](PlayedGame&& game) {
        SeatValues sum{};
        const std::vector<SeatValues> rewards = round_rewards(game.events);
        EXPECT_EQ(static_cast<std::ptrdiff_t>(rewards.size()),
                  std::ranges::count_if(game.events, [](const Event& event) {
                    return std::holds_alternative<StartRound>(event);
                  }));
        for (const SeatValues& reward : rewards)
          for (int seat = 0; seat < kSeats; ++seat) sum[seat] += reward[seat];
        for (int seat = 0; seat < kSeats; ++seat)
          EXPECT_NEAR(sum[seat], kRankPoints[game.rank[seat]], 1e-9);
        return true;
      });
}

}  // namespace
}  // namespace ippatsu::play
