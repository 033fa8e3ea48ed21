#include "mahjong/payment.h"

#include <gtest/gtest.h>

namespace ippatsu::mahjong {
namespace {

RuleSet players(int count) {
  RuleSet rules;
  rules.players = count;
  return rules;
}

HandValue base_points(int points) {
  HandValue value;
  value.base_points = points;
  return value;
}

TEST(Payment, Wins) {
  struct Row {
    std::string_view name;
    int players, base_points;
    WinPayment payment;
    Scores deltas;
  };
  const Row rows[] = {
      {"ron", 4, 480, {1, 2, 0}, {0, 2000, -2000, 0}},
      {"ron by the dealer", 4, 480, {0, 2, 0}, {2900, 0, -2900, 0}},
      {"tsumo", 4, 480, {1, 1, 0}, {-1000, 2000, -500, -500}},
      {"tsumo by the dealer", 4, 480, {3, 3, 3}, {-1000, -1000, -1000, 3000}},
      {"each payment is rounded up", 4, 320, {1, 1, 0}, {-700, 1500, -400, -400}},
      {"honba and sticks on ron", 4, 480, {1, 2, 0, 3, 2}, {0, 4900, -2900, 0}},
      {"honba and sticks on tsumo", 4, 480, {1, 1, 0, 3, 2}, {-1300, 4900, -800, -800}},
      {"liable, but for no big yakuman", 4, 480, {1, 1, 0, 1, 0, 3}, {-1100, 2300, -600, -600}},
      {"three: ron", 3, 2000, {1, 2, 0}, {0, 8000, -8000, 0}},
      {"three: tsumo", 3, 2000, {1, 1, 0}, {-4000, 6000, -2000, 0}},
      {"three: tsumo by the dealer", 3, 2000, {0, 0, 0}, {8000, -4000, -4000, 0}},
      {"three: honba on ron", 3, 2000, {1, 2, 0, 1}, {0, 8200, -8200, 0}},
      {"three: honba on tsumo", 3, 2000, {1, 1, 0, 1}, {-4100, 6200, -2100, 0}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(win_deltas(base_points(row.base_points), row.payment, players(row.players)),
              row.deltas)
        << row.name;
}

TEST(Payment, ADrawnRoundIsPaidByThoseWithoutTenpai) {
  struct Row {
    int players;
    unsigned tenpai;
    Scores deltas;
  };
  constexpr Row kRows[] = {
      {4, 0b0000, {0, 0, 0, 0}},
      {4, 0b0001, {3000, -1000, -1000, -1000}},
      {4, 0b1010, {-1500, 1500, -1500, 1500}},
      {4, 0b1110, {-3000, 1000, 1000, 1000}},
      {4, 0b1111, {0, 0, 0, 0}},
      {3, 0b000, {0, 0, 0, 0}},
      {3, 0b010, {-1000, 2000, -1000, 0}},
      {3, 0b101, {1000, -2000, 1000, 0}},
      {3, 0b111, {0, 0, 0, 0}},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(noten_deltas(row.tenpai, players(row.players)), row.deltas)
        << row.players << " players, " << row.tenpai;
}

TEST(Payment, NagashiIsPaidAsAManganByTsumo) {
  EXPECT_EQ(nagashi_deltas(0b0001, 0, {}), (Scores{12000, -4000, -4000, -4000}));
  EXPECT_EQ(nagashi_deltas(0b0100, 0, {}), (Scores{-4000, -2000, 8000, -2000}));
  EXPECT_EQ(nagashi_deltas(0b0101, 0, {}), (Scores{8000, -6000, 4000, -6000}));
  EXPECT_EQ(nagashi_deltas(0b010, 0, players(3)), (Scores{-4000, 6000, -2000, 0}));
}

TEST(Payment, EqualPointsRankByTheFirstDealing) {
  using Seats = std::array<Seat, kSeats>;
  EXPECT_EQ(ranking({10000, 40000, 20000, 30000}, {}), (Seats{1, 3, 2, 0}));
  EXPECT_EQ(ranking({19700, 19700, 30300, 30300}, {}), (Seats{2, 3, 0, 1}));
  EXPECT_EQ(ranking({-100, -200, 35300, 0}, players(3)), (Seats{2, 0, 1, 3}));
}

}  // namespace
}  // namespace ippatsu::mahjong
