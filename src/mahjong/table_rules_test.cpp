#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "mahjong/table.h"
#include "mahjong/test_script.h"

namespace ippatsu::mahjong {
namespace {

using ::testing::HasSubstr;

// Scripts whose last event is possible, or is not and why.
TEST(Table, TakesWhatIsPossibleOnly) {
  struct Row {
    std::string_view name;
    Script script;
    std::string_view error = "";
  };
  constexpr std::string_view kTenpai = "123m456p78s11122z";
  constexpr std::string_view kNine = "19m19p19s123z4567m";
  constexpr Row kRows[] = {
      {"a turn", {{}, "0+5m 0= 1+6m 1="}},
      {"drawing out of turn", {{}, "1+5m"}, "seat 1 draws in the turn of seat 0"},
      {"drawing twice", {{}, "0+5m 0+6m"}, "no draw is due"},
      {"discarding out of turn", {{}, "0+5m 1-5m"}, "it is the turn of seat 0"},
      {"discarding without a draw", {{"5m"}, "0-5m"}, "without having drawn"},
      {"discarding what is not held", {{"1p1p1p1p"}, "0+5m 0-0s"}, "not in its hand"},
      {"a black five is not the red one", {{"5m"}, "0+1z 0-0m"}, "not in its hand"},
      {"the drawn tile as if from the hand", {{"1z"}, "0+0s 0-0s"}, "it is the tile drawn"},
      {"a fifth tile", {{"1111z"}, "0+1z"}, "a fifth 1z"},
      {"a second red five", {{"0m"}, "0+0m"}, "more red fives 0m"},
      {"discarding what the pon took",
       {{"1z", "", "055m"}, "0+5m 0= 2:pon:5m:55m 2-0m"},
       "may not discard 0m"},
      {"pon without the tiles", {{"1z", "", "5m1z"}, "0+5m 0= 2:pon:5m:05m"}, "but holds"},
      {"pon of two kinds", {{"1z", "", "56m"}, "0+5m 0= 2:pon:5m:56m"}, "is not pon"},
      {"chi from across", {{"1z", "", "46m"}, "0+5m 0= 2:chi:5m:46m"}, "only the next"},
      {"chi over a suit's end", {{"1z", "89m1p"}, "0+1p 0= 1:chi:1p:89m"}, "is not chi"},
      {"chi of honours", {{"1z", "23z"}, "0+1z 0= 1:chi:1z:23z"}, "is not chi"},
      {"chi with three players",
       {{"1z", "46p"}, "0+5p 0= 1:chi:5p:46p", "9p", {}, 3},
       "four players"},
      {"calling one's own discard", {{"55m"}, "0+5m 0= 0:pon:5m:55m"}, "has not just discarded"},
      {"calling another tile", {{"1z", "66m"}, "0+5m 0= 1:pon:6m:66m"}, "but seat 0 discarded 5m"},
      {"a call that leaves only barred tiles",
       {{"", "112233z4567p123s"},
        "0+1z 0= 1:pon:1z:11z 1-1s 2+9m 2= 3+9m 3= 0+2z 0= 1:pon:2z:22z 1-2s 2+9m 2= 3+8m 3= "
        "0+3z 0= 1:pon:3z:33z 1-3s 2+8m 2= 3+7m 3= 0+4p 0= 1:chi:4p:56p"},
       "left with no tile"},
      {"an open kan", {{"1z", "", "055m"}, "0+5m 0= 2:kan:5m:055m 2+1m 2= dora:1p 3+2m"}},
      {"a kan that is none", {{"1z", "", "055m"}, "0+5m 0= 2:kan:5m:556m"}, "is not an open kan"},
      {"discarding before the replacement tile",
       {{"1z", "", "055m"}, "0+5m 0= 2:kan:5m:055m 2-1m"},
       "without having drawn"},
      {"more indicators than kans", {{}, "0+5m dora:1p"}, "is the 2th, after 0 kans"},
      {"a closed kan", {{"1111z"}, "0+5m 0:closed:1111z dora:1p 0+6m 0="}},
      {"a closed kan of three", {{"111z2z"}, "0+5m 0:closed:1112z"}, "but holds"},
      {"a kan after a call",
       {{"2z", "1111z55m"}, "0+5m 0= 1:pon:5m:55m 1:closed:1111z"},
       "not just drawn"},
      {"an added kan",
       {{"1z", "055m1z"},
        "0+5m 0= 1:pon:5m:05m 1-1z 2+1m 2= 3+1m 3= 0+1m 0= 1+9s 1:added:5m 1+8s 1= dora:1p"}},
      {"a closed kan from an added one's tile turns both indicators",
       {{"1z", "055m1z222s"},
        "0+5m 0= 1:pon:5m:05m 1-1z 2+1m 2= 3+1m 3= 0+1m 0= 1+9s 1:added:5m 1+2s 1:closed:2222s "
        "dora:1p dora:2p 1+8s 1="}},
      {"an added kan without its pon", {{"1z"}, "0+5m 0:added:5m"}, "no such pon"},
      {"robbing a kan",
       {{"1z", "055m1z", "34m123456789s11z"},
        "0+5m 0= 1:pon:5m:05m 1-1z 2+1m 2= 3+1m 3= 0+1m 0= 1+9p 1:added:5m 2:ron:5m end",
        "1p"}},
      {"a kan cannot be robbed of another tile",
       {{"1z", "055m1z", "34m123456789s22z"},
        "0+5m 0= 1:pon:5m:05m 1-1z 2+1m 2= 3+1m 3= 0+1m 0= 1+9p 1:added:5m 2:ron:2m",
        "1p"},
       "not there to be won on"},
      {"riichi", {{kTenpai}, "0+9m 0! 0= 0$ 1+9m"}},
      {"riichi without tenpai", {{"1379m1379p1379s1z"}, "0+2z 0!"}, "no discard leaves"},
      {"riichi with an open hand",
       {{"1z", "123m456p78s1122z3z"}, "0+1z 0= 1:pon:1z:11z 1-3z 2+9m 2= 3+9m 3= 0+9m 0= 1+2z 1!"},
       "open hand"},
      {"riichi with 900 points",
       {{kTenpai}, "0+9m 0!", "9p", {900, 1000, 1000, 1000}},
       "with 900 points"},
      {"riichi with 1000 points", {{kTenpai}, "0+9m 0! 0= 0$", "9p", {1000, 1000, 1000, 1000}}},
      {"a riichi discard that loses tenpai", {{kTenpai}, "0+9m 0! 0-1m"}, "not tenpai then"},
      {"going on before the stick is paid",
       {{kTenpai}, "0+9m 0! 0= 1+9m"},
       "neither accepted nor won"},
      {"changing the hand in riichi",
       {{kTenpai}, "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+8p 0-1z"},
       "only the drawn tile"},
      {"calling in riichi",
       {{kTenpai}, "0+9m 0! 0= 0$ 1+9m 1= 2+2z 2= 0:pon:2z:22z"},
       "calls in riichi"},
      {"a kan in riichi that keeps the waits",
       {{"3335666s555777z"}, "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+3s 0:closed:3333s"}},
      {"a kan in riichi that changes them",
       {{"3335666s555777z"}, "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+6s 0:closed:6666s"},
       "riichi forbids"},
      {"nine terminals at once", {{kNine}, "0+2p draw:3"}},
      {"nine terminals in the second turn",
       {{kNine}, "0+2p 0= 1+2p 1= 2+2p 2= 3+2s 3= 0+2s draw:3"},
       "nine terminals"},
      {"nine terminals of the next seat", {{"1z", kNine}, "0+2p 0= 1+3p draw:3"}},
      {"nine terminals after a pon",
       {{"1z", kNine, "122p"}, "0+2p 0= 2:pon:2p:22p 2-1p 3+1s 3= 0+8s 0= 1+2s draw:3", "4z"},
       "nine terminals"},
      {"nine terminals after a kan",
       {{"8888s", kNine}, "0+2p 0:closed:8888s 0+2p 0= 1+3p draw:3"},
       "nine terminals"},
      {"eight terminals", {{"19m19p19s12z45678m"}, "0+2p draw:3"}, "nine terminals"},
      {"four equal winds", {{}, "0+4z 0= 1+4z 1= 2+4z 2= 3+4z 3= draw:4"}},
      {"four winds of two kinds",
       {{}, "0+4z 0= 1+4z 1= 2+3z 2= 3+4z 3= draw:4"},
       "four equal winds"},
      {"an empty wall that is not", {{}, "0+4z 0= draw:1"}, "empty wall"},
      {"tsumo", {{kTenpai}, "0+9s 0:tsumo:9s end"}},
      {"tsumo with an incomplete hand", {{kTenpai}, "0+8m 0:tsumo:8m"}, "not complete"},
      {"ron", {{"1z", kTenpai}, "0+9s 0= 1:ron:9s end"}},
      {"double ron", {{"1z", kTenpai, "123p456m78s33344z"}, "0+9s 0= 1:ron:9s 2:ron:9s end"}},
      {"winning twice", {{"1z", kTenpai}, "0+9s 0= 1:ron:9s 1:ron:9s"}, "wins twice"},
      {"ron on one's own discard", {{kTenpai}, "0+9s 0= 0:ron:9s"}, "not there to be won on"},
      {"a north", {{"4z"}, "0+5p 0:north 0+6p 0=", "9p", {}, 3}},
      {"a north with four players", {{"4z"}, "0+5p 0:north"}, "only three players"},
      {"a tile that three players lack", {{}, "0+5m", "9p", {}, 3}, "no 5m with three players"},
      {"the fourth of three seats", {{}, "0+5p 0= 1+5p 1= 2+5p 2= 3+6p", "9p", {}, 3}, "no seat 3"},
      {"an end without a result", {{}, "0+5m end"}, "without a winner"},
  };
  for (const Row& row : kRows) try {
      played(row.script);
      EXPECT_EQ(row.error, "") << row.name;
    } catch (const Error& error) {
      if (row.error.empty())
        ADD_FAILURE() << row.name << ": " << error.what();
      else
        EXPECT_THAT(error.what(), HasSubstr(std::string(row.error))) << row.name;
    }
}

TEST(Table, RiichiNeedsFourTilesLeft) {
  for (const int left : {4, 3}) {
    Table table = played(
        {{"123m456p78s11122z", "123m456p78s33344z", "678m123p45s55566z", "678m123p45s777z99m"}});
    pass_turns(table, 70 - left - 1);
    const auto seat = static_cast<Seat>((table.turn() + 1) % 4);
    table.apply(Draw{seat, Tile::of_kind(32)});
    ASSERT_EQ(table.tiles_left(), left);
    if (left == 4)
      EXPECT_NO_THROW(table.apply(RiichiDeclared{seat}));
    else
      EXPECT_THROW(table.apply(RiichiDeclared{seat}), Error);
  }
}

TEST(Table, TheWallEnds) {
  Table table = played({});
  pass_turns(table, 70);
  EXPECT_EQ(table.tiles_left(), 0);
  EXPECT_THROW(Table(table).apply(Draw{2, Tile::of_kind(33)}), Error);
  table.apply(RoundDraw{DrawKind::Exhaustive, Scores{}});
  EXPECT_EQ(table.phase(), Phase::Drawn);
}

TEST(Table, TheNextRoundBeginsWithWhatWasLeft) {
  const Script won{{"123m456p78s11122z"}, "0+9s 0:tsumo:9s end"};
  Table table = played(won);
  StartRound round = std::get<StartRound>(events_of(won)[1]);
  round.honba = 1;
  round.scores = table.scores();
  EXPECT_NO_THROW(Table(table).apply(round));
  round.scores[2] += 100;
  EXPECT_THROW(table.apply(round), Error);
}

TEST(Table, ShowsMeldsDiscardsAndMarks) {
  const Table table =
      played({{"123m456p78s11122z", "", "77p"}, "0+7p 0! 0= 0$ 2:pon:7p:77p 2-1m 3+2m 3="});
  const SeatState& declarer = table.seat(0);
  EXPECT_TRUE(declarer.discards[0].declares_riichi);
  EXPECT_TRUE(declarer.discards[0].tsumogiri);
  EXPECT_TRUE(declarer.discards[0].called_away);
  EXPECT_TRUE(declarer.double_riichi);
  EXPECT_FALSE(declarer.ippatsu) << "a pon ends it";
  EXPECT_EQ(table.scores()[0], 24000);
  EXPECT_EQ(table.sticks(), 1);
  EXPECT_EQ(table.seat(2).melds[0].from, 0);
  EXPECT_EQ(notation(table.seat(2).melds[0].tiles()), "777p");
  EXPECT_EQ(table.open_kinds()[Tile::of_kind(15).kind()], 3);
  EXPECT_EQ(table.wind_of(3), Wind::North);
}

}  // namespace
}  // namespace ippatsu::mahjong
