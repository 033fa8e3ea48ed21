#include "play/mjai_bot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/split_mix.h"
#include "mahjong/game.h"
#include "play/greedy_player.h"
#include "play/heuristic_player.h"

namespace ippatsu::play {
namespace {

using testing::HasSubstr;

constexpr const char* kStart = R"({"type":"start_game","id":1})";
constexpr const char* kDeal =
    R"({"type":"start_kyoku","bakaze":"E","dora_marker":"9p","kyoku":1,"honba":0,"kyotaku":0,"oya":0,)"
    R"("scores":[25000,25000,25000,25000],"tehais":[["?","?","?","?","?","?","?","?","?","?","?","?","?"],)"
    R"(["1m","2m","3m","4p","5p","6p","7s","8s","E","E","E","S","N"],)"
    R"(["?","?","?","?","?","?","?","?","?","?","?","?","?"],)"
    R"(["?","?","?","?","?","?","?","?","?","?","?","?","?"]]})";
constexpr const char* kNone = R"({"type":"none"})";

// What a bot answers to each line; "" is silence.
struct Line {
  std::string told;
  std::string answer;
};

struct Talk {
  MjaiDialect dialect;
  std::vector<Line> lines;
};

const Talk kTalks[] = {
    {MjaiDialect::Lines,
     {{R"({"type":"hello","protocol":"mjsonp","protocol_version":3})",
       R"({"type":"join","name":"greedy","room":"default"})"},
      {kStart, kNone},
      {kDeal, kNone},
      {R"({"type":"tsumo","actor":0,"pai":"?"})", kNone},
      {R"({"type":"dahai","actor":0,"pai":"E","tsumogiri":true})", kNone},
      {R"({"type":"tsumo","actor":1,"pai":"S"})", R"({"type":"reach","actor":1})"},
      {R"({"type":"reach","actor":1})",
       R"({"type":"dahai","actor":1,"pai":"N","tsumogiri":false})"},
      {R"({"type":"dahai","actor":1,"pai":"N","tsumogiri":false})", kNone},
      {R"({"type":"reach_accepted","actor":1})", kNone},
      {R"({"type":"tsumo","actor":2,"pai":"?"})", kNone},
      {R"({"type":"dahai","actor":2,"pai":"6s","tsumogiri":false})",
       R"({"type":"hora","actor":1,"target":2,"pai":"6s"})"},
      {R"({"type":"hora","actor":1,"target":2})", kNone},
      {R"({"type":"end_kyoku"})", kNone},
      {R"({"type":"end_game"})", kNone},
      {kStart, kNone}}},
    {MjaiDialect::Lists,
     {{fmt::format("[{},{}]", kStart, kDeal), kNone},
      {R"([{"type":"tsumo","actor":0,"pai":"?"},)"
       R"({"type":"dahai","actor":0,"pai":"1s","tsumogiri":true},)"
       R"({"type":"tsumo","actor":1,"pai":"9s"}])",
       R"({"type":"reach","actor":1})"}}},
    {MjaiDialect::Quiet,
     {{kStart, ""},
      {kDeal, ""},
      {R"({"type":"tsumo","actor":0,"pai":"?"})", ""},
      {R"({"type":"dahai","actor":0,"pai":"1s","tsumogiri":true})", ""},
      {R"({"type":"tsumo","actor":1,"pai":"9s","can_act":false})", ""},
      {R"({"type":"dahai","actor":1,"pai":"N","tsumogiri":false})", ""},
      {R"({"type":"tsumo","actor":2,"pai":"?"})", ""},
      {R"({"type":"dahai","actor":2,"pai":"E","tsumogiri":false})", kNone},
      {R"({"type":"tsumo","actor":3,"pai":"?"})", ""},
      {R"({"type":"dahai","actor":3,"pai":"N","tsumogiri":false})", ""},
      {R"({"type":"tsumo","actor":0,"pai":"?"})", ""},
      {R"({"type":"ankan","actor":0,"consumed":["9m","9m","9m","9m"]})", ""},
      {R"({"type":"tsumo","actor":0,"pai":"?"})", ""},
      // An indicator that is turned after a discard asks about it, where that has not been done.
      {R"({"type":"dahai","actor":0,"pai":"3m","tsumogiri":true,"can_act":false})", ""},
      {R"({"type":"dora","dora_marker":"9s"})", kNone}}},
};

TEST(MjaiBot, AnswersWhereItsDialectSays) {
  for (const Talk& talk : kTalks) {
    GreedyPlayer player;
    MjaiBot bot(player, talk.dialect, {});
    for (const auto& [told, answer] : talk.lines)
      EXPECT_EQ(bot.react(told).value_or(""), answer) << told;
  }
}

struct Refusal {
  std::vector<std::string> before;
  std::string told;
  std::string said;
};

const Refusal kRefusals[] = {
    {{}, "nonsense", "is not JSON"},
    {{}, "[]", "is a list of events, as in the dialect 'lists'"},
    {{}, "{}", "'type' is missing"},
    {{}, R"({"type":7})", "'type' is not a text"},
    {{}, kDeal, "comes before a start_game"},
    {{}, R"({"type":"start_game"})", "'id' does not tell which seat"},
    {{}, R"({"type":"start_game","id":4})", "'id' is out of range (0..3)"},
    {{}, R"({"type":"start_game","id":0,"names":["a","b","c"]})", "a game of 3 cannot be played"},
    {{}, R"({"type":"error","message":"go away"})", "go away"},
    {{kStart}, R"({"type":"dance"})", "'dance' is no mjai event"},
    {{kStart}, R"({"type":"tsumo","actor":0,"pai":"?"})", "where no draw is due"},
    {{kStart, kDeal}, R"({"type":"tsumo","actor":1,"pai":"E"})", "in the turn of seat 0"},
    {{kStart, kDeal, R"({"type":"tsumo","actor":0,"pai":"?"})"},
     R"({"type":"ankan","actor":0,"consumed":["E","E","E","E"]})",
     "a fifth 1z turns up"},
    {{kStart, kDeal, R"({"type":"tsumo","actor":0,"pai":"?"})"},
     R"({"type":"pon","actor":2,"target":0,"pai":"1m","consumed":["1m","1m"]})",
     "who has not just discarded"},
};

TEST(MjaiBot, SaysWhatIsWrongWithWhatItIsTold) {
  for (const Refusal& refusal : kRefusals) {
    GreedyPlayer player;
    MjaiBot bot(player, MjaiDialect::Lines, {});
    for (const std::string& line : refusal.before) bot.react(line);
    EXPECT_THAT([&] { bot.react(refusal.told); },
                testing::ThrowsMessage<Error>(HasSubstr(refusal.said)))
        << refusal.told;
  }
}

// What seat 1 is told of a game that heuristic players play, a line an event.
std::vector<nlohmann::ordered_json> told_game(uint64_t seed) {
  std::vector<mahjong::Event> events;
  mahjong::Game game({}, seed, &events);
  while (!game.over())
    for (mahjong::Seat seat = 0; seat < mahjong::kSeats; ++seat)
      if (game.asks(seat))
        game.choose(seat, HeuristicPlayer().choose({&game.table(), seat, 0, events}));
  std::vector<nlohmann::ordered_json> lines;
  for (const mahjong::Event& event : events) lines.push_back(mjai_of(event, {}, 1));
  return lines;
}

// Changes, drops, repeats or swaps something in one place.
void damage(std::vector<nlohmann::ordered_json>& lines, SplitMix64& random) {
  const auto below = [&](size_t n) { return random.below(static_cast<uint32_t>(n)); };
  const size_t place = below(lines.size() - 1);
  nlohmann::ordered_json& line = lines[place];
  switch (below(6)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(place));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place),
                   nlohmann::ordered_json(line));
      break;
    case 2:
      std::swap(line, lines[place + 1]);
      break;
    case 3:
      line["actor"] = below(mahjong::kSeats);
      break;
    case 4:
      line["pai"] = mjai_name(mahjong::Tile::of_index(static_cast<int>(below(mahjong::kTiles))));
      break;
    default:
      line = lines[below(lines.size())];
  }
}

TEST(MjaiBot, NothingThatItIsToldIsWorseThanAnError) {
  SplitMix64 random(1);
  int refused = 0;
  for (uint64_t round = 0; round < 200; ++round) {
    std::vector<nlohmann::ordered_json> lines = told_game(round / 50);
    damage(lines, random);
    GreedyPlayer player;
    MjaiBot bot(player, MjaiDialect::Lines, {});
    try {
      for (const auto& line : lines) bot.react(line.dump());
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, 200);  // some damage is another possible game
}

// Seat 2 pons what seat 0 discards, turn after turn.
TEST(MjaiBot, NoHiddenHandHoldsFiveSets) {
  GreedyPlayer player;
  MjaiBot bot(player, MjaiDialect::Quiet, {});
  bot.react(kStart);
  bot.react(kDeal);
  const auto turn = [&](std::string_view tile) {
    bot.react(R"({"type":"tsumo","actor":0,"pai":"?"})");
    bot.react(fmt::format(R"({{"type":"dahai","actor":0,"pai":"{}","tsumogiri":true}})", tile));
    bot.react(fmt::format(
        R"({{"type":"pon","actor":2,"target":0,"pai":"{0}","consumed":["{0}","{0}"]}})", tile));
    bot.react(R"({"type":"dahai","actor":2,"pai":"9m","tsumogiri":false})");
    bot.react(R"({"type":"tsumo","actor":3,"pai":"?"})");
    bot.react(R"({"type":"dahai","actor":3,"pai":"8m","tsumogiri":true})");
  };
  for (const char* tile : {"1s", "2s", "3s", "4s"}) turn(tile);
  EXPECT_THAT([&] { turn("5s"); },
              testing::ThrowsMessage<Error>(HasSubstr("lays out a fifth set")));
}

TEST(MjaiBot, TakesItsSeatFromTheServerFirst) {
  GreedyPlayer player;
  MjaiBot bot(player, MjaiDialect::Lines, 1);
  EXPECT_EQ(bot.react(R"({"type":"start_game"})"), kNone);
  EXPECT_EQ(bot.react(kDeal), kNone);
}

}  // namespace
}  // namespace ippatsu::play
