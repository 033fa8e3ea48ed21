#include "play/arena.h"

#include <map>
#include <mutex>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "play/random_player.h"

namespace ippatsu::play {
namespace {

using namespace mahjong;

const auto kAll = [](size_t) { return true; };

std::map<size_t, PlayedGame> all_games(std::span<const PlannedGame> plan, const Players& players,
                                       ArenaOptions options) {
  std::map<size_t, PlayedGame> games;
  play_games(plan, players, options, kAll, [&](PlayedGame&& game) {
    const size_t index = game.index;
    games.emplace(index, std::move(game));
    return true;
  });
  return games;
}

Players two_random() {
  return {std::make_shared<RandomPlayer>(1), std::make_shared<RandomPlayer>(2)};
}

TEST(Arena, ThePlanSeatsOneAgainstThreeOnTheSameWalls) {
  const std::vector<PlannedGame> plan = duplicate_plan(3, 7);
  ASSERT_EQ(plan.size(), 12U);
  for (size_t i = 0; i < plan.size(); ++i) {
    EXPECT_EQ(plan[i].seed, plan[i / 4 * 4].seed);
    EXPECT_EQ(std::accumulate(plan[i].seats.begin(), plan[i].seats.end(), 0U), 3U);
    EXPECT_EQ(plan[i].seats[i % 4], 0U);
  }
  EXPECT_NE(plan[0].seed, plan[4].seed);
}

TEST(Arena, PlayersMoveOnByASeatFromGameToGame) {
  const std::vector<PlannedGame> plan = rotating_plan(6, 3, 7);
  ASSERT_EQ(plan.size(), 6U);
  EXPECT_EQ(plan[0].seats, (std::array<size_t, kSeats>{0, 1, 2, 0}));
  EXPECT_EQ(plan[1].seats, (std::array<size_t, kSeats>{0, 0, 1, 2}));
  EXPECT_EQ(plan[4].seats, plan[0].seats);
  EXPECT_NE(plan[4].seed, plan[0].seed);
}

// How many threads and tables there are changes nothing about the games.
TEST(Arena, GamesDoNotDependOnHowTheyArePlayed) {
  const std::vector<PlannedGame> plan = duplicate_plan(6, 1);
  const auto one = all_games(plan, two_random(), {.rules = {}, .workers = 1, .tables = 1});
  const auto many = all_games(plan, two_random(), {.rules = {}, .workers = 3, .tables = 5});
  ASSERT_EQ(one.size(), plan.size());
  ASSERT_EQ(many.size(), plan.size());
  for (const auto& [index, game] : one) {
    EXPECT_EQ(game.events, many.at(index).events);
    EXPECT_EQ(game.rank, many.at(index).rank);
    EXPECT_EQ(std::accumulate(game.scores.begin(), game.scores.end(), 0), 100000);
    EXPECT_EQ(std::accumulate(game.rank.begin(), game.rank.end(), 0), 6);
  }
}

TEST(Arena, PlaysOnlyWhatIsWantedAndStopsWhenTold) {
  const std::vector<PlannedGame> plan = duplicate_plan(5, 1);
  std::vector<size_t> played;
  play_games(
      plan, two_random(), {.rules = {}, .workers = 1, .tables = 2},
      [](size_t index) { return index % 3 == 0; },
      [&](PlayedGame&& game) {
        played.push_back(game.index);
        return played.size() < 4;
      });
  EXPECT_EQ(played.size(), 4U);
  for (const size_t index : played) EXPECT_EQ(index % 3, 0U);
}

// Has nothing to say in game 2.
class FailingPlayer : public Player {
 public:
  std::string name() const override { return "failing"; }

  void answer(std::span<const Question> questions, std::span<Answer> answers) override {
    for (size_t i = 0; i < questions.size(); ++i)
      if (questions[i].game == 2)
        answers[i].fault = "is silent";
      else
        answers[i].action = random_.choose(questions[i]);
  }

 private:
  RandomPlayer random_;
};

TEST(Arena, AFaultEndsItsGameAlone) {
  const std::vector<PlannedGame> plan = duplicate_plan(2, 1);
  const auto games =
      all_games(plan, {std::make_shared<FailingPlayer>(), std::make_shared<RandomPlayer>()}, {});
  ASSERT_EQ(games.size(), plan.size());
  for (const auto& [index, game] : games) EXPECT_EQ(game.fault, index == 2 ? "is silent" : "");
}

// Counts the seats that it holds, as far as it has been asked there.
class NarrowPlayer : public Player {
 public:
  std::string name() const override { return "narrow"; }
  size_t most_seats() const override { return 7; }

  void answer(std::span<const Question> questions, std::span<Answer> answers) override {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < questions.size(); ++i) {
      seats_.insert({questions[i].game, questions[i].seat});
      answers[i].action = random_.choose(questions[i]);
    }
    most_ = std::max(most_, seats_.size());
  }

  void end_game(uint64_t game, std::span<const Event>) override {
    const std::lock_guard lock(mutex_);
    std::erase_if(seats_, [&](const auto& seat) { return seat.first == game; });
  }

  size_t most() const { return most_; }

 private:
  std::mutex mutex_;
  std::set<std::pair<uint64_t, Seat>> seats_;
  size_t most_ = 0;
  RandomPlayer random_;
};

// Seven seats are two games, on which three threads agree.
TEST(Arena, AsksNobodyToHoldMoreSeatsThanItCan) {
  const auto narrow = std::make_shared<NarrowPlayer>();
  const Players players = {std::make_shared<RandomPlayer>(), narrow};
  EXPECT_EQ(
      all_games(duplicate_plan(4, 1), players, {.rules = {}, .workers = 3, .tables = 8}).size(),
      16U);
  EXPECT_EQ(narrow->most(), 6U);
}

class ThrowingPlayer : public RandomPlayer {
 public:
  void end_game(uint64_t, std::span<const Event>) override { throw std::runtime_error("broken"); }
};

TEST(Arena, AnErrorReachesTheCaller) {
  EXPECT_THROW(
      all_games(duplicate_plan(1, 1),
                {std::make_shared<ThrowingPlayer>(), std::make_shared<RandomPlayer>()}, {}),
      std::runtime_error);
}

}  // namespace
}  // namespace ippatsu::play
