#include "play/statistics.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/split_mix.h"

namespace ippatsu::play {
namespace {

TEST(Statistics, StableDanOfKnownRanks) {
  struct Row {
    RankCounts counts;
    double houou, tokujou, rank, points;
  };
  const Row kRows[] = {
      {{1, 1, 1, 1}, 7, 5, 2.5, 0},  // players of equal strength
      {{250, 250, 250, 250}, 7, 5, 2.5, 0}, {{300, 250, 250, 200}, 10.75, 8, 2.35, 11.25},
      {{0, 0, 0, 10}, -2, -2, 4, -135},     {{200, 250, 250, 300}, 4.5, 3, 2.65, -11.25},
  };
  for (const Row& row : kRows) {
    EXPECT_DOUBLE_EQ(stable_dan_houou(row.counts), row.houou);
    EXPECT_DOUBLE_EQ(stable_dan_tokujou(row.counts), row.tokujou);
    EXPECT_DOUBLE_EQ(mean_rank(row.counts), row.rank);
    EXPECT_DOUBLE_EQ(mean_rank_points(row.counts), row.points);
  }
  EXPECT_TRUE(std::isinf(stable_dan_houou({1, 0, 0, 0})));
}

// One set a game of which the ranks are drawn uniformly: the mean rank has the standard error
// sqrt(1.25 / n), and the interval is 1.96 of it to each side.
TEST(Statistics, TheBootstrapAgreesWithTheClosedForm) {
  SplitMix64 random(3);
  constexpr int kSets = 2000;
  std::vector<RankCounts> sets(kSets);
  for (RankCounts& set : sets) ++set[random.below(4)];
  const Estimate estimate = bootstrap(sets, mean_rank, 0.95, 4000);
  const double half = 1.96 * std::sqrt(1.25 / kSets);
  EXPECT_NEAR(estimate.value - estimate.low, half, 0.06 * half);
  EXPECT_NEAR(estimate.high - estimate.value, half, 0.06 * half);
}

// Of intervals at 95 % about 95 % hold the truth.
TEST(Statistics, IntervalsHoldTheTruthAsOftenAsTheySay) {
  SplitMix64 random(4);
  constexpr int kTrials = 400;
  int held = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<RankCounts> sets(200);
    for (RankCounts& set : sets)
      for (int game = 0; game < 4; ++game) ++set[random.below(4)];
    held += !bootstrap(sets, mean_rank_points, 0.95, 400, random.next()).excludes(0);
  }
  EXPECT_NEAR(held / double{kTrials}, 0.95, 0.035);  // three standard deviations
}

// Games of a set that always end alike are worth one game each, and the interval says so.
TEST(Statistics, SetsAreTheUnit) {
  SplitMix64 random(5);
  std::vector<RankCounts> sets(500), games;
  for (RankCounts& set : sets) {
    const uint32_t rank = random.below(4);
    set[rank] = 4;
    for (int i = 0; i < 4; ++i) ++games.emplace_back()[rank];
  }
  const Estimate by_sets = bootstrap(sets, mean_rank), by_games = bootstrap(games, mean_rank);
  EXPECT_NEAR((by_sets.high - by_sets.low) / (by_games.high - by_games.low), 2, 0.25);
}

TEST(Statistics, TheSameSeedGivesTheSameInterval) {
  const std::vector<RankCounts> sets = {{2, 1, 1, 0}, {0, 1, 1, 2}, {1, 1, 1, 1}};
  const Estimate first = bootstrap(sets, mean_rank), second = bootstrap(sets, mean_rank);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

}  // namespace
}  // namespace ippatsu::play
