#include "play/tally.h"

#include <numeric>

#include <gtest/gtest.h>

#include "play/greedy_player.h"
#include "play/random_player.h"

namespace ippatsu::play {
namespace {

int64_t games_of(const Standing& standing) {
  return std::accumulate(standing.ranks.begin(), standing.ranks.end(), int64_t{0});
}

TEST(Tally, CountsWhatEachPlayerDidInItsSeats) {
  const std::vector<PlannedGame> plan = rotating_plan(8, 3, 5);
  Tally tally(plan);
  const auto greedy = std::make_shared<GreedyPlayer>();
  const auto random = std::make_shared<RandomPlayer>();
  play_games(
      plan, {greedy, random, random}, {.rules = {}}, [](size_t) { return true; },
      [&](PlayedGame&& game) {
        tally.add(game);
        return true;
      });
  const std::vector<Standing> standings = tally.standings();
  ASSERT_EQ(standings.size(), 3U);
  EXPECT_EQ(games_of(standings[0]), 16);  // the first of three sits twice
  EXPECT_EQ(games_of(standings[1]), 8);
  EXPECT_EQ(games_of(standings[2]), 8);
  EXPECT_GT(standings[0].strength.points.value, standings[1].strength.points.value);
  EXPECT_GT(standings[0].record.wins, standings[1].record.wins);
  EXPECT_EQ(standings[0].record.rounds, 2 * standings[1].record.rounds);
}

// Every block of four games has each player once on each rank: the interval is a point.
TEST(Tally, ManyGamesAreTakenInBlocks) {
  constexpr size_t kGames = 40'000;
  const std::vector<PlannedGame> plan = rotating_plan(kGames, 4, 1);
  Tally tally(plan);
  std::vector<mahjong::Event> events = {
      mahjong::StartGame{.names = {"a", "b", "c", "d"}, .rules = {}, .wall_seed = {}},
      mahjong::EndGame{.scores = mahjong::Scores{40'000, 30'000, 20'000, 10'000}}};
  PlayedGame game = played_game(0, events);
  for (; game.index < kGames; ++game.index) tally.add(game);
  for (const Standing& standing : tally.standings()) {
    EXPECT_EQ(standing.ranks, (RankCounts{kGames / 4, kGames / 4, kGames / 4, kGames / 4}));
    EXPECT_EQ(standing.strength.rank.value, 2.5);
    EXPECT_EQ(standing.strength.rank.low, standing.strength.rank.high);
  }
}

}  // namespace
}  // namespace ippatsu::play
