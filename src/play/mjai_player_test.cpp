#include "play/mjai_player.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "play/arena.h"
#include "play/players.h"

namespace ippatsu::play {
namespace {

using namespace mahjong;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::MatchesRegex;

std::string command(const std::string& behaviour) {
  return (own_program().parent_path() / "test_bot").string() + " " + behaviour;
}

std::shared_ptr<Player> plain(std::string_view name) {
  return std::ranges::find(plain_players(), name, &PlayerRow::name)->make();
}

std::shared_ptr<MjaiPlayer> bot(const std::string& prefix, const std::string& behaviour,
                                BotOptions options = {}) {
  return std::make_shared<MjaiPlayer>(prefix + command(behaviour), options);
}

std::map<size_t, PlayedGame> all_games(size_t sets, const Players& players,
                                       const ArenaOptions& options = {}) {
  std::map<size_t, PlayedGame> games;
  play_games(
      duplicate_plan(sets, 1), players, options, [](size_t) { return true; },
      [&](PlayedGame&& game) {
        const size_t index = game.index;
        games.emplace(index, std::move(game));
        return true;
      });
  EXPECT_EQ(games.size(), kSeats * sets);
  return games;
}

// What a bot sees is enough to play as if it saw all: whoever looks at hidden tiles plays
// otherwise.
TEST(MjaiPlayer, PlaysTheGamesThatItsPlayerPlays) {
  for (const std::string player : {"greedy", "heuristic"}) {
    const auto direct = all_games(1, {plain(player), plain("heuristic")});
    for (const MjaiDialectRow& row : mjai_dialects()) {
      const auto through = all_games(
          1,
          {bot(std::string(row.prefix), player + " " + std::string(row.name)), plain("heuristic")});
      for (const auto& [index, game] : direct) {
        EXPECT_EQ(through.at(index).fault, "");
        EXPECT_EQ(through.at(index).events, game.events)
            << player << ' ' << row.name << ' ' << index;
      }
    }
  }
}

// Three seats of a game are three processes; how many there are changes nothing.
TEST(MjaiPlayer, SitsOnThreeSeatsWithAsManyProcessesAsItMayHave) {
  const auto direct = all_games(2, {plain("greedy"), plain("heuristic")});
  for (const size_t processes : {1, 7}) {
    const auto through =
        all_games(2, {plain("greedy"), bot("mjai:", "heuristic lines", {.processes = processes})},
                  {.rules = {}, .workers = 3, .tables = 4});
    for (const auto& [index, game] : direct) EXPECT_EQ(through.at(index).events, game.events);
  }
}

TEST(MjaiPlayer, ReplacesAProcessThatLeavesAfterItsGame) {
  for (const auto& [index, game] :
       all_games(2, {bot("mjai:", "greedy lines once", {.processes = 1}), plain("greedy")}))
    EXPECT_EQ(game.fault, "");
}

TEST(MjaiPlayer, BindsProcessesToSeatsWhereTheCommandNamesThem) {
  const auto bound = bot("mjai:", "greedy lines {seat}", {.processes = 2});
  for (const auto& [index, game] : all_games(2, {bound, plain("greedy")}))
    EXPECT_EQ(game.fault, "");
}

struct Failure {
  std::string behaviour;
  std::string fault;  // a regular expression, after the name and the seat
};

// Each game ends by itself, and the next has a fresh process.
TEST(MjaiPlayer, TellsHowABotFails) {
  const Failure kFailures[] = {
      {"silent", "did not answer within 0.5 s"},
      {"passing", R"(said \{"type":"none"\}, which is none of what is legal: discard .*)"},
      {"nonsense", R"(said tsumo\?\[31m\? \{, which is not JSON: .*)"},
      {"talkative", R"((spoke without being asked|said \{"type":"none"\}, which is none of).*)"},
      {"flooding", R"((spoke without being asked|said \{"type":"none"\}, which is none of).*)"},
      {"endless", R"(said more than 65536 bytes without an end of line: x+\.\.\.)"},
      {"dying", "ended early, with status 3"},
      {"crashing", R"(ended early, with signal 9 \(Killed\))"},
      {"mute", "runs on but speaks no more"},
  };
  for (const Failure& failure : kFailures) {
    const auto player = bot("mjai:", failure.behaviour, {.timeout = 50ms});
    const auto games =
        all_games(1, {player, plain("greedy")}, {.rules = {}, .workers = 1, .tables = 2});
    for (const auto& [index, game] : games)
      EXPECT_THAT(game.fault, MatchesRegex(".* \\(seat [0-3]\\) " + failure.fault))
          << failure.behaviour;
  }
}

TEST(MjaiPlayer, OneThatCannotBeRunEndsAll) {
  const Players players = {std::make_shared<MjaiPlayer>("mjai:/no/such/bot", BotOptions()),
                           plain("greedy")};
  EXPECT_THAT([&] { all_games(1, players); },
              testing::ThrowsMessage<Error>(HasSubstr(
                  "mjai:/no/such/bot cannot be run: its shell ended early, with status 127")));
  EXPECT_THROW(MjaiPlayer("mjai: ", {}), Error);
}

TEST(MjaiPlayer, IsKnownByItsPrefix) {
  EXPECT_TRUE(MjaiPlayer::names("mjai:x"));
  EXPECT_TRUE(MjaiPlayer::names("mjai-list:x"));
  EXPECT_TRUE(MjaiPlayer::names("mjai-quiet:x"));
  EXPECT_FALSE(MjaiPlayer::names("mjai"));
  EXPECT_FALSE(MjaiPlayer::names("greedy"));
}

}  // namespace
}  // namespace ippatsu::play
