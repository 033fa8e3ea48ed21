#include "play/players.h"

#include <cmath>

#include <gtest/gtest.h>

#include "mahjong/game.h"
#include "mahjong/test_script.h"
#include "play/danger.h"
#include "play/heuristic_player.h"

namespace ippatsu::play {
namespace {

using namespace mahjong;

// A game refuses what is not legal.
TEST(Players, ChooseWhatIsLegalUnderAnyRules) {
  const RuleSet kRules[] = {{},
                            {.length = Length::East},
                            {.red_fives = false, .open_tanyao = false},
                            {.swap_calling = true, .head_bump = true},
                            {.busts = false, .dealer_may_end = false}};
  for (const PlayerRow& row : plain_players())
    for (const RuleSet& rules : kRules)
      for (uint64_t seed = 0; seed < 8; ++seed) {
        const std::shared_ptr<Player> player = row.make();
        std::vector<Event> events;
        Game game(rules, seed, &events);
        while (!game.over())
          for (Seat seat = 0; seat < kSeats; ++seat) {
            if (!game.asks(seat)) continue;
            const Question question{&game.table(), seat, seed, events};
            Answer answer;
            player->answer({&question, 1}, {&answer, 1});
            ASSERT_NO_THROW(game.choose(seat, answer.action)) << row.name;
          }
      }
}

// What the heuristic player does at the end of a script.
TEST(HeuristicPlayer, Chooses) {
  struct Row {
    std::string_view name;
    Script script;
    Seat seat;
    std::string_view action;
  };
  constexpr std::string_view kTenpai = "123m456p78s11122z";
  const Row kRows[] = {
      {"wins", {{kTenpai}, "0+9s"}, 0, "win"},
      {"declares riichi", {{"123m456p78s11199m"}, "0+2z"}, 0, "riichi"},
      {"takes dragons for speed", {{"1z", "234m67p345s55z17m9p"}, "0+5z 0="}, 1, "pon"},
      {"does not open a hand that can have no yaku",
       {{"1z", "789m13p999s12z99p1s"}, "0+2p 0="},
       1,
       "pass"},
      {"folds to a riichi: the tile that the seat has discarded",
       {{kTenpai, "1379m1468p25s234z"}, "0+9m 0! 0= 0$ 1+5m"},
       1,
       "discard 9m"},
  };
  for (const Row& row : kRows) {
    const Table table = played(row.script);
    const Question question{&table, row.seat, 0, {}};
    EXPECT_EQ(to_string(HeuristicPlayer().choose(question)), row.action) << row.name;
  }
}

TEST(HeuristicPlayer, LikesBestWhatItChooses) {
  const HeuristicPlayer player;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Game game(RuleSet{}, seed);
    while (!game.over())
      for (Seat seat = 0; seat < kSeats; ++seat) {
        if (!game.asks(seat)) continue;
        const Question question{&game.table(), seat, seed, {}};
        const Action chosen = player.choose(question);
        const Ratings ratings = player.rate(question);
        for (int i = 0; i < Action::kCount; ++i) {
          const Action action = Action::of_index(i);
          ASSERT_EQ(std::isfinite(ratings[i]), question.legal().contains(action));
          ASSERT_TRUE(action == chosen || ratings[i] < ratings[chosen.index()]);
        }
        game.choose(seat, chosen);
      }
  }
}

// The classes of safety, from safe to dangerous, against a riichi that discarded 4p and 1m.
TEST(Danger, GrowsFromSafeTilesOverSujiToTheMiddle) {
  const Table table = played({{"123m456p78s11122z", "59m179p568s1234z"},
                              "0+1m 0= 1+9s 1= 2+9s 2= 3+9s 3= 0+4p 0! 0= 0$ 1+3z"});
  const Question question{&table, 1, 0, {}};
  const Sight sight(question);
  const auto danger = [&](std::string_view tile) {
    return danger_of(sight, 0, tiles_from_notation(tile)[0].kind());
  };
  EXPECT_EQ(danger("4p"), 0);
  EXPECT_EQ(danger("1m"), 0);
  EXPECT_GT(danger("1p"), 0);
  EXPECT_LT(danger("1p"), danger("9p"));
  EXPECT_LT(danger("7p"), danger("6p"));
  EXPECT_LT(danger("9m"), danger("5m"));
  EXPECT_GT(threat_of(sight, 0), threat_of(sight, 2));
}

}  // namespace
}  // namespace ippatsu::play
