#include "records/mjai_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "mahjong/game.h"
#include "mahjong/test_script.h"
#include "records/json_fields.h"

namespace ippatsu::mahjong {
namespace {

using testing::HasSubstr;

struct Row {
  Script script;
  Seat seat;
  std::string_view told;
  std::string_view said;  // the action's name, or a part of the refusal
};

const Script kOwnTurn = {{"123m406p78s11122z"}, "0+9s"};
const Script kBothFives = {{"1z", "055p34m99s123456z"}, "0+5p 0="};

const Row kRows[] = {
    {kOwnTurn, 0, R"({"type":"hora","actor":0,"target":0,"pai":"9s"})", "win"},
    {kOwnTurn, 0, R"({"type":"hora"})", "win"},
    {kOwnTurn, 0, R"({"type":"reach","actor":0})", "riichi"},
    {kOwnTurn, 0, R"({"type":"dahai","actor":0,"pai":"9s","tsumogiri":true})", "discard 9s"},
    {kOwnTurn, 0, R"({"type":"dahai","pai":"5pr"})", "discard 5pr"},
    {kOwnTurn, 0, R"({"type":"dahai","pai":"5p"})", "discard 5pr"},
    {kOwnTurn, 0, R"({"type":"none"})", "is none of what is legal: discard 1m, "},
    {kOwnTurn, 0, R"({"type":"dahai","pai":"9m"})", "is none of what is legal"},
    {kOwnTurn, 0, R"({"type":"dahai","pai":"0m"})", "0m"},
    {kOwnTurn, 0, R"({"type":"dahai"})", "is none of what is legal"},
    {kOwnTurn, 0, R"({"type":"dahai","pai":"1m","tsumogiri":true})", "as the tile drawn"},
    {kOwnTurn, 0, R"({"type":"dahai","actor":1,"pai":"1m"})", "is said by seat 0"},
    {kOwnTurn, 0, R"({"type":"hora","pai":"1s"})", "is about 1s, and 9s lies there"},
    {kOwnTurn, 0, R"({"pai":"1m"})", "'type' is missing"},
    {kOwnTurn, 0, R"([{"type":"reach"}])", "is not a JSON object"},
    {kBothFives, 1, R"({"type":"none"})", "pass"},
    {{{"1z", "406p4m99s123456z"}, "0+5p 0="},
     1,
     R"({"type":"chi","pai":"5p","consumed":["4p","6p"]})",
     "chi middle"},
    {{{"1z", "067p4m99s123456z"}, "0+8p 0="},
     1,
     R"({"type":"chi","consumed":["7p","6p"]})",
     "chi high"},
    {{{"1z", "067p4m99s123456z"}, "0+4p 0="},
     1,
     R"({"type":"chi","consumed":["6p","5p"]})",
     "chi low red"},
    {kBothFives, 1, R"({"type":"pon","pai":"5p","consumed":["5p","5p"]})", "pon"},
    {kBothFives, 1, R"({"type":"pon","pai":"5p","consumed":["5pr","5p"]})", "pon red"},
    {kBothFives, 1, R"({"type":"daiminkan","pai":"5p","consumed":["5p","5p","5p"]})", "open kan"},
    {kBothFives, 1, R"({"type":"pon","pai":"6p","consumed":["5pr","5p"]})", "is about 6p, and 5p"},
    {kBothFives, 1, R"({"type":"pon","consumed":["5p"]})",
     "is none of what is legal: pon, pon red"},
    {{{"1z", "05p34m99s123456z1m"}, "0+5p 0="},
     1,
     R"({"type":"pon","consumed":["5p","5p"]})",
     "pon red"},
    {{{"19m19p19s1234z234m"}, "0+5z"}, 0, R"({"type":"ryukyoku"})", "nine terminals"},
    {{{"1111m234p56799s2z"}, "0+9p"},
     0,
     R"({"type":"ankan","consumed":["1m","1m","1m","1m"]})",
     "kan 1m"},
};

TEST(MjaiChoice, IsTheLegalActionThatIsMeant) {
  for (const Row& row : kRows) {
    const Table table = played(row.script);
    std::string said;
    try {
      said = to_string(choice_of_mjai(parse_json(row.told), table, row.seat));
    } catch (const Error& error) {
      said = error.what();
    }
    EXPECT_THAT(said, HasSubstr(row.said)) << row.told;
  }
}

// In games at random, every legal action is read as it was written.
TEST(MjaiChoice, EveryActionIsReadAsItIsWritten) {
  std::array<int, Action::kCount> met{};
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Game game({}, seed);
    uint64_t random = seed;
    while (!game.over())
      for (Seat seat = 0; seat < kSeats; ++seat) {
        if (!game.asks(seat)) continue;
        const ActionSet legal = game.legal(seat);
        for (int i = 0; i < legal.size(); ++i) {
          const auto line = mjai_of_choice(game.table(), seat, legal.nth(i));
          ASSERT_EQ(choice_of_mjai(parse_json(line.dump()), game.table(), seat), legal.nth(i))
              << line;
          ++met[legal.nth(i).index()];
        }
        random = random * 6364136223846793005U + 1442695040888963407U;
        game.choose(seat, legal.nth(static_cast<int>((random >> 33) % legal.size())));
      }
  }
  for (const Action action :
       {Action::riichi(), Action::open_kan(), Action::pon(true), Action::pass()})
    EXPECT_GT(met[action.index()], 0) << to_string(action);
}

}  // namespace
}  // namespace ippatsu::mahjong
