#include "play/match.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "play/greedy_player.h"
#include "play/heuristic_player.h"
#include "play/random_player.h"

namespace ippatsu::play {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class MatchTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  static Players players() {
    return {std::make_shared<GreedyPlayer>(), std::make_shared<RandomPlayer>()};
  }

  MatchOptions options(size_t sets) const {
    return {.sets = sets,
            .seed = 3,
            .arena = {.rules = {}, .workers = 2, .tables = 4},
            .folder = folder_};
  }

  std::string results() const { return read_file(folder_ / "results.jsonl"); }

  const fs::path folder_ = fs::path(testing::TempDir()) / "ippatsu_match";
};

const auto kGoOn = [](size_t, size_t) { return true; };

TEST_F(MatchTest, ARunThatWasStoppedGoesOnToTheSameVerdict) {
  MatchOptions whole = options(10);
  whole.folder.reset();
  const Verdict straight = play_match(players(), whole, kGoOn);
  const Verdict first =
      play_match(players(), options(10), [](size_t done, size_t) { return done < 13; });
  EXPECT_LT(first.games, 40U);
  // As if the last line had been cut by a crash.
  write_file_atomically(folder_ / "results.jsonl", results() + "{\"game\": 39, \"ra");
  const Verdict second = play_match(players(), options(10), kGoOn);
  EXPECT_EQ(second.games, 40U);
  EXPECT_EQ(second.games_played, 40 - first.games);
  EXPECT_EQ(second.ranks, straight.ranks);
  EXPECT_EQ(second.records, straight.records);
  EXPECT_EQ(second.strength.points.low, straight.strength.points.low);
}

TEST_F(MatchTest, MoreSetsMayBePlayedLater) {
  play_match(players(), options(2), kGoOn);
  const Verdict verdict = play_match(players(), options(5), kGoOn);
  EXPECT_EQ(verdict.games_played, 12U);
  EXPECT_EQ(verdict.sets, 5U);
}

TEST_F(MatchTest, AFolderHoldsOneMatch) {
  play_match(players(), options(2), kGoOn);
  MatchOptions other = options(2);
  other.seed = 4;
  EXPECT_THAT([&] { play_match(players(), other, kGoOn); },
              testing::ThrowsMessage<Error>(HasSubstr("holds another match")));
}

TEST_F(MatchTest, ABrokenLineIsNamed) {
  play_match(players(), options(2), kGoOn);
  const std::string good = results();
  for (const char* bad :
       {"{\"game\": 1}", "[]", "{\"game\": 1, \"rank\": 7, \"scores\": [0,0,0,0]}"}) {
    write_file_atomically(folder_ / "results.jsonl",
                          good.substr(0, good.find('\n') + 1) + bad + "\n");
    EXPECT_THAT([&] { play_match(players(), options(2), kGoOn); },
                testing::ThrowsMessage<Error>(HasSubstr("line 2")))
        << bad;
  }
}

TEST_F(MatchTest, AnEarlyStopNeedsAClearLead) {
  MatchOptions sequential = options(64);
  sequential.folder.reset();
  sequential.sequential = true;
  const Verdict clear = play_match(players(), sequential, kGoOn);
  EXPECT_TRUE(clear.stopped_early);
  EXPECT_EQ(clear.sets, 8U);
  const Verdict equal = play_match(
      {std::make_shared<GreedyPlayer>(), std::make_shared<GreedyPlayer>()}, sequential, kGoOn);
  EXPECT_FALSE(equal.stopped_early);
  EXPECT_EQ(equal.sets, 64U);
}

// The same player on both sides plays every set four times alike: each rank once.
TEST_F(MatchTest, EqualPlayersHaveTheDanOfEquals) {
  MatchOptions alike = options(16);
  alike.folder.reset();
  const Verdict verdict = play_match(
      {std::make_shared<GreedyPlayer>(), std::make_shared<GreedyPlayer>()}, alike, kGoOn);
  for (const Estimate& dan : {verdict.strength.dan_houou, verdict.strength.dan_tokujou}) {
    EXPECT_EQ(dan.low, dan.value);
    EXPECT_EQ(dan.high, dan.value);
  }
  EXPECT_EQ(verdict.strength.dan_houou.value, 7);
  EXPECT_EQ(verdict.strength.dan_tokujou.value, 5);
}

TEST_F(MatchTest, HeuristicBeatsGreedyBeatsRandom) {
  MatchOptions match = options(60);
  match.folder.reset();
  const Verdict strong = play_match(
      {std::make_shared<HeuristicPlayer>(), std::make_shared<GreedyPlayer>()}, match, kGoOn);
  EXPECT_GT(strong.strength.points.low, 0);
  const Verdict weak = play_match(
      {std::make_shared<RandomPlayer>(), std::make_shared<GreedyPlayer>()}, match, kGoOn);
  EXPECT_LT(weak.strength.points.high, 0);
}

}  // namespace
}  // namespace ippatsu::play
