#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mahjong/table.h"
#include "mahjong/test_script.h"

namespace ippatsu::mahjong {
namespace {

Scores moved(const Table& table, const Script& script) {
  Scores deltas = table.scores();
  for (int seat = 0; seat < kSeats; ++seat) deltas[seat] -= script.scores[seat];
  return deltas;
}

// Points gained and lost since the round began, and the sticks that are left.
TEST(Table, MovesPoints) {
  struct Row {
    std::string_view name;
    Script script;
    Scores deltas;
    int sticks;
  };
  // Seat 1 pons three dragons, the last from seat 3, and waits for 1m.
  constexpr std::array<std::string_view, kSeats> kDragons = {"", "23m11p189s556677z"};
  constexpr std::array<std::string_view, kSeats> kDouble = {"34m567p23467855s", "",
                                                            "34m678p23467822s"};
  constexpr std::array<std::string_view, kSeats> kFourRiichi = {
      "123m456p78s11122z", "123m456p78s33344z", "678m123p45s55566z", "678m123p45s777z99m"};
  constexpr Row kRows[] = {
      {"pao: ron is halved, the liable seat pays the honba",
       {.hands = kDragons,
        .events = "0+5z 0= 1:pon:5z:55z 1-1s 2+6z 2= 1:pon:6z:66z 1-8s 2+9m 2= 3+7z 3= "
                  "1:pon:7z:77z 1-9s 2+1m 2= 1:ron:1m end",
        .honba = 2,
        .sticks = 1},
       {0, 33600, -16000, -16600},
       0},
      {"pao: ron off the liable seat",
       {.hands = kDragons,
        .events = "0+5z 0= 1:pon:5z:55z 1-1s 2+6z 2= 1:pon:6z:66z 1-8s 2+9m 2= 3+7z 3= "
                  "1:pon:7z:77z 1-9s 2+8p 2= 3+1m 3= 1:ron:1m end",
        .honba = 2,
        .sticks = 1},
       {0, 33600, 0, -32600},
       0},
      {"pao: tsumo is all the liable seat's",
       {.hands = kDragons,
        .events = "0+5z 0= 1:pon:5z:55z 1-1s 2+6z 2= 1:pon:6z:66z 1-8s 2+9m 2= 3+7z 3= "
                  "1:pon:7z:77z 1-9s 2+8p 2= 3+8p 3= 0+8p 0= 1+1m 1:tsumo:1m end",
        .honba = 2,
        .sticks = 1},
       {0, 33600, 0, -32600},
       0},
      {"no pao for a third dragon that was not called",
       {.hands = {"", "23m11p18s556677z7z"},
        .events =
            "0+5z 0= 1:pon:5z:55z 1-1s 2+6z 2= 1:pon:6z:66z 1-8s 2+8p 2= 3+1m 3= 1:ron:1m end"},
       {0, 32000, 0, -32000},
       0},
      {"double ron: honba and sticks to the nearer winner",
       {.hands = kDouble,
        .events = "0+9m 0= 1+5m 1= 2:ron:5m 0:ron:5m end",
        .honba = 2,
        .sticks = 1},
       {2900, -5500, 3600, 0},
       0},
      {"the discard that declares riichi is won on: no stick is paid",
       {.hands = {"3m567p23467855s9p", "234678m78p33456s"}, .events = "0+4m 0! 0-9p 1:ron:9p end"},
       {-1000, 1000, 0, 0},
       0},
      {"four riichi leave four sticks",
       {kFourRiichi,
        "0+8p 0! 0= 0$ 1+8p 1! 1= 1$ 2+8p 2! 2= 2$ 3+8p 3! 3= 3$ draw:5 end",
        "9p",
        {28300, 24000, 22700, 25000}},
       {-1000, -1000, -1000, -1000},
       4},
      {"the fourth riichi is won on: three sticks to the winner",
       {kFourRiichi, "0+8p 0! 0= 0$ 1+8p 1! 1= 1$ 2+8p 2! 2= 2$ 3+9s 3! 3= 0:ron:9s end"},
       {14000, -1000, -1000, -12000},
       0},
      {"nine terminals move nothing",
       {.hands = {"19m19p19s123z4567m"}, .events = "0+2p draw:3 end", .honba = 3, .sticks = 2},
       {0, 0, 0, 0},
       2},
  };
  for (const Row& row : kRows) {
    const Table table = played(row.script);
    EXPECT_EQ(moved(table, row.script), row.deltas) << row.name;
    EXPECT_EQ(table.sticks(), row.sticks) << row.name;
  }
}

// A tile that nobody has seen, of terminals and honours or of the others, while there are any.
Tile unseen(const Table& table, bool outside) {
  std::optional<int> other;
  for (int kind = 0; kind < kKinds; ++kind) {
    int seen = table.open_kinds()[kind];
    for (int seat = 0; seat < kSeats; ++seat) seen += table.seat(seat).concealed.count_kind(kind);
    if (seen == kCopies) continue;
    if (is_terminal_or_honor(kind) == outside) return Tile::of_kind(kind);
    other = kind;
  }
  return Tile::of_kind(*other);
}

// All draw and discard what is left; `outside` terminals and honours.
void play_out(Table& table, int outside) {
  while (table.tiles_left() > 0) {
    const int next = table.phase() == Phase::Draw ? 0 : 1;
    const auto seat = static_cast<Seat>((table.turn() + next) % kSeats);
    const Tile tile = unseen(table, seat == outside);
    table.apply(Draw{seat, tile});
    table.apply(Discard{seat, tile, true});
  }
}

TEST(Table, PaysAtAnEmptyWall) {
  constexpr int kNobody = -1;
  constexpr std::string_view kOne = "123m456p78s11122z";
  constexpr std::string_view kTwo = "123m456p78s33344z";
  constexpr std::string_view kThree = "678m123p45s55566z";
  constexpr std::string_view kFour = "678m123p45s777z99m";
  constexpr std::string_view kNoten = "258m369p147s3456z";
  constexpr std::string_view kOther = "258m369p147s7777z";
  struct Row {
    std::string_view name;
    std::array<std::string_view, kSeats> hands;
    int outside;
    Scores deltas;
  };
  constexpr Row kRows[] = {
      {"none tenpai", {kNoten, kNoten, kNoten, kNoten}, kNobody, {}},
      {"one", {kNoten, kOne, kNoten, kNoten}, kNobody, {-1000, 3000, -1000, -1000}},
      {"two", {kTwo, kOne, kNoten, kOther}, kNobody, {1500, 1500, -1500, -1500}},
      {"three", {kTwo, kOne, kThree, kOther}, kNobody, {1000, 1000, 1000, -3000}},
      {"all", {kTwo, kOne, kThree, kFour}, kNobody, {}},
      {"nagashi mangan, whoever is tenpai",
       {kNoten, kNoten, kOne, kNoten},
       1,
       {-4000, 8000, -2000, -2000}},
      {"nagashi mangan of the dealer",
       {kNoten, kOne, kNoten, kNoten},
       0,
       {12000, -4000, -4000, -4000}},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    Table table = played({row.hands, "", "8s"});
    play_out(table, row.outside);
    const std::optional<DrawKind> due = table.due_draw();
    ASSERT_TRUE(due);
    EXPECT_EQ(*due, row.outside < 0 ? DrawKind::Exhaustive : DrawKind::NagashiMangan);
    EXPECT_EQ(table.draw_deltas(*due), row.deltas);
  }
}

// How a round ended that moved no points.
enum class Outcome : uint8_t { DealerWins, OtherWins, DealerTenpai, DealerNoten, Aborted };

Table ended(const StartRound& start, Outcome outcome, const RuleSet& rules) {
  // The dealer's hand, one more that wins on its first draw, and two that are nothing.
  constexpr std::array<std::string_view, kSeats> kHands = {
      "123m456p78s33344z", "123m456p78s22777z", "258m369p147s5566z", "258m369p147s5566z"};
  constexpr std::string_view kNoten = "258m369p147s1344z";
  constexpr std::string_view kTerminals = "19m19p19s123z4567m";
  Script script{.hands = kHands, .rules = rules};
  if (outcome == Outcome::DealerNoten) script.hands[0] = kNoten;
  if (outcome == Outcome::Aborted) script.hands[0] = kTerminals;
  StartRound round = std::get<StartRound>(events_of(script)[1]);
  const std::array<Hand, kSeats> hands = round.hands;
  const Tile indicator = round.dora_indicator;
  round = start;
  round.dora_indicator = indicator;
  const Seat dealer = round.dealer;
  const auto other = static_cast<Seat>((dealer + 1) % kSeats);
  for (int place = 0; place < kSeats; ++place)
    round.hands[(dealer + place) % kSeats] = hands[place];
  Table table;
  table.apply(StartGame{.names = {}, .rules = rules});
  table.apply(round);
  const Tile winning = Tile::of_kind(26);  // 9s
  const Scores none{};
  switch (outcome) {
    case Outcome::DealerWins:
      table.apply(Draw{dealer, winning});
      table.apply(Win{.seat = dealer, .from = dealer, .tile = winning, .deltas = none});
      break;
    case Outcome::OtherWins:
      table.apply(Draw{dealer, winning});
      table.apply(Discard{dealer, winning, true});
      table.apply(Win{.seat = other, .from = dealer, .tile = winning, .deltas = none});
      break;
    case Outcome::DealerTenpai:
    case Outcome::DealerNoten:
      pass_turns(table, 70);
      table.apply(RoundDraw{DrawKind::Exhaustive, none});
      break;
    case Outcome::Aborted:
      table.apply(Draw{dealer, winning});
      table.apply(RoundDraw{DrawKind::NineTerminals, none});
      break;
  }
  table.apply(EndRound{});
  return table;
}

std::string text_of(const std::optional<NextRound>& next) {
  constexpr std::array<std::string_view, kSeats> kWinds = {"East", "South", "West", "North"};
  if (!next) return "over";
  EXPECT_EQ(next->dealer, next->number - 1);
  return fmt::format("{} {}, {}", kWinds[static_cast<size_t>(next->round_wind)], next->number,
                     next->honba);
}

TEST(Table, KnowsTheNextRound) {
  constexpr Wind kEast = Wind::East, kSouth = Wind::South, kWest = Wind::West;
  constexpr auto kDealerWins = Outcome::DealerWins, kOtherWins = Outcome::OtherWins;
  constexpr auto kDealerTenpai = Outcome::DealerTenpai, kDealerNoten = Outcome::DealerNoten;
  constexpr auto kAborted = Outcome::Aborted;
  constexpr Scores kEven = {25000, 25000, 25000, 25000};
  constexpr Scores kDealerLeads = {20000, 22000, 24000, 34000};  // of round 4
  constexpr Scores kDealerLeadsLow = {24000, 23000, 24000, 29000};
  constexpr Scores kOtherLeads = {34000, 11000, 22000, 33000};
  constexpr Scores kTied = {33000, 11000, 23000, 33000};
  constexpr Scores kBust = {50100, 25000, 25000, -100};
  constexpr RuleSet kTenhou;
  struct Row {
    std::string_view name;
    RuleSet rules;
    Wind wind;
    int number, honba;
    Scores scores;
    Outcome outcome;
    std::string_view next;
  };
  constexpr Row kRows[] = {
      {"the dealer wins", kTenhou, kEast, 1, 0, kEven, kDealerWins, "East 1, 1"},
      {"another wins", kTenhou, kEast, 1, 2, kEven, kOtherWins, "East 2, 0"},
      {"drawn, the dealer tenpai", kTenhou, kEast, 2, 1, kEven, kDealerTenpai, "East 2, 2"},
      {"drawn, the dealer noten", kTenhou, kEast, 2, 1, kEven, kDealerNoten, "East 3, 2"},
      {"aborted", kTenhou, kEast, 3, 0, kEven, kAborted, "East 3, 1"},
      {"the next wind", kTenhou, kEast, 4, 0, kEven, kOtherWins, "South 1, 0"},
      {"30000 before the last round", kTenhou, kSouth, 3, 0, kDealerLeads, kOtherWins,
       "South 4, 0"},

      {"the last round", kTenhou, kSouth, 4, 0, kDealerLeads, kOtherWins, "over"},
      {"... drawn", kTenhou, kSouth, 4, 0, kDealerLeads, kDealerNoten, "over"},
      {"... without 30000: sudden death", kTenhou, kSouth, 4, 0, kEven, kOtherWins, "West 1, 0"},
      {"... drawn without 30000", kTenhou, kSouth, 4, 1, kEven, kDealerNoten, "West 1, 2"},
      {"a leading dealer wins", kTenhou, kSouth, 4, 0, kDealerLeads, kDealerWins, "over"},
      {"... is tenpai", kTenhou, kSouth, 4, 0, kDealerLeads, kDealerTenpai, "over"},
      {"... without 30000", kTenhou, kSouth, 4, 0, kDealerLeadsLow, kDealerWins, "South 4, 1"},
      {"... must go on",
       {.dealer_may_end = false},
       kSouth,
       4,
       0,
       kDealerLeads,
       kDealerWins,
       "South 4, 1"},
      {"... sees it aborted", kTenhou, kSouth, 4, 0, kDealerLeads, kAborted, "South 4, 1"},
      {"a dealer who does not lead", kTenhou, kSouth, 4, 3, kOtherLeads, kDealerWins, "South 4, 4"},
      {"... for sitting later", kTenhou, kSouth, 4, 0, kTied, kDealerTenpai, "South 4, 1"},

      {"sudden death ends with 30000", kTenhou, kWest, 1, 0, kDealerLeads, kOtherWins, "over"},
      {"... drawn", kTenhou, kWest, 2, 0, kDealerLeads, kDealerNoten, "over"},
      {"... not before", kTenhou, kWest, 1, 0, kEven, kOtherWins, "West 2, 0"},
      {"... not while another dealer stays", kTenhou, kWest, 1, 0, kDealerLeads, kDealerTenpai,
       "West 1, 1"},
      {"... but where it leads for sitting earlier", kTenhou, kWest, 1, 0, kTied, kDealerTenpai,
       "over"},
      {"... or with West 4", kTenhou, kWest, 4, 0, kEven, kOtherWins, "over"},
      {"... unless its dealer stays", kTenhou, kWest, 4, 0, kEven, kDealerTenpai, "West 4, 1"},

      {"below 0", kTenhou, kEast, 1, 0, kBust, kDealerWins, "over"},
      {"exactly 0", kTenhou, kEast, 1, 0, {50000, 25000, 25000, 0}, kDealerWins, "East 1, 1"},
      {"below 0, which does not matter",
       {.busts = false},
       kEast,
       1,
       0,
       kBust,
       kOtherWins,
       "East 2, 0"},

      {"East only", {.length = Length::East}, kEast, 4, 0, kDealerLeads, kOtherWins, "over"},
      {"... and sudden death",
       {.length = Length::East},
       kEast,
       4,
       0,
       kEven,
       kOtherWins,
       "South 1, 0"},
      {"... to its end", {.length = Length::East}, kSouth, 4, 0, kEven, kOtherWins, "over"},
      {"another target",
       {.target_points = 40000},
       kSouth,
       4,
       0,
       kDealerLeads,
       kOtherWins,
       "West 1, 0"},
      {"one round", {.length = Length::OneRound}, kEast, 1, 0, kEven, kDealerWins, "over"},
  };
  for (const Row& row : kRows) {
    const StartRound start{.round_wind = row.wind,
                           .number = row.number,
                           .honba = row.honba,
                           .dealer = static_cast<Seat>(row.number - 1),
                           .scores = row.scores};
    EXPECT_EQ(text_of(ended(start, row.outcome, row.rules).next_round()), row.next) << row.name;
  }
}

TEST(Table, GivesSticksThatAreLeftToTheFirst) {
  struct Row {
    std::string_view name;
    Scores scores;
    int sticks;
    Scores final_scores;
  };
  constexpr Row kRows[] = {
      {"the first", {20000, 20000, 20000, 39000}, 1, {20000, 20000, 20000, 40000}},
      {"of two the one who sat first",
       {19000, 19400, 30300, 30300},
       1,
       {19000, 19400, 31300, 30300}},
      {"none left", {25000, 25000, 25000, 25000}, 0, {25000, 25000, 25000, 25000}},
      {"three of them", {25000, 25000, 24000, 23000}, 3, {28000, 25000, 24000, 23000}},
  };
  for (const Row& row : kRows) {
    const StartRound start{.round_wind = Wind::West,
                           .number = 4,
                           .sticks = row.sticks,
                           .dealer = 3,
                           .scores = row.scores};
    const Table table = ended(start, Outcome::DealerNoten, {});
    EXPECT_EQ(table.next_round(), std::nullopt) << row.name;
    EXPECT_EQ(table.final_scores(), row.final_scores) << row.name;
  }
}

// Is seat 0 tenpai at the script's end?
TEST(Table, Tenpai) {
  struct Row {
    std::string_view name;
    Script script;
    bool tenpai;
  };
  constexpr Row kRows[] = {
      {"a wait", {{"123m456p78s11122z"}}, true},
      {"a fifth tile, all four of which are in the hand", {{"123456789m1111p"}}, false},
      {"a fifth honour, all four of which are in the hand", {{"123456789m1111z"}}, false},
      {"a fifth tile, all four of which are in the seat's own kan",
       {{"3333m12m456p789s1z"}, "0+1z 0:closed:3333m 0+2z 0="},
       true},
  };
  for (const Row& row : kRows)
    EXPECT_EQ((played(row.script).tenpai_seats() & 1) != 0, row.tenpai) << row.name;
}

}  // namespace
}  // namespace ippatsu::mahjong
