#include "mahjong/hand_reading.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace ippatsu::mahjong {
namespace {

WinningHand hand_of(std::string_view concealed, std::string_view winning) {
  WinningHand hand;
  for (const Tile tile : tiles_from_notation(concealed)) hand.concealed.add(tile);
  hand.winning = tiles_from_notation(winning)[0];
  return hand;
}

TEST(Readings, AreTheWaysToPartAHandTimesWhatWasCompleted) {
  struct Row {
    std::string_view name, concealed, winning;
    size_t readings;
  };
  constexpr Row kRows[] = {
      {"one way", "123m456p789s11122z", "1m", 1},
      {"a run or a triplet", "12223m456p789s222z", "2m", 2},
      {"equal runs are one", "223344m678p99s444z", "4m", 1},
      {"triplets or runs", "222333444m78999s", "9s", 4},
      {"runs or seven pairs", "223344667788m99p", "8m", 2},
      {"thirteen orphans", "19m19p19s12345677z", "7z", 1},
      {"not complete", "123m456p789s11123z", "3z", 0},
      {"the winning tile is elsewhere", "123m456p789s11122z", "9m", 0},
      {"too few tiles", "123m456p789s22z", "1m", 0},
  };
  const RuleSet rules;
  for (const Row& row : kRows) {
    const WinningHand hand = hand_of(row.concealed, row.winning);
    EXPECT_EQ(readings_of(hand, rules).size(), row.readings) << row.name;
  }
}

TEST(Readings, WaitsHaveTheirNames) {
  struct Row {
    std::string_view concealed, winning;
    Wait wait;
  };
  constexpr Row kRows[] = {
      {"123m456p789s11122z", "4p", Wait::TwoSided}, {"123m456p789s11122z", "6p", Wait::TwoSided},
      {"123m456p789s11122z", "1m", Wait::TwoSided}, {"123m456p789s11122z", "3m", Wait::Edge},
      {"123m456p789s11122z", "7s", Wait::Edge},     {"123m456p789s11122z", "9s", Wait::TwoSided},
      {"123m456p789s11122z", "8s", Wait::Middle},   {"123m456p789s11122z", "1z", Wait::Triplet},
      {"123m456p789s11122z", "2z", Wait::Pair},
  };
  const RuleSet rules;
  for (const Row& row : kRows) {
    const WinningHand hand = hand_of(row.concealed, row.winning);
    const Readings readings = readings_of(hand, rules);
    ASSERT_EQ(readings.size(), 1U);
    EXPECT_EQ(readings[0].wait, row.wait) << row.winning;
  }
}

// Calls visit for each way to lay `tiles` tiles out over kinds from `kind` to the ninth.
template <typename Visit>
void for_each_suit(Concealed& concealed, int kind, int tiles, const Visit& visit) {
  if (kind == 8) {
    for (int i = 0; i < tiles; ++i) concealed.add(Tile::of_kind(kind));
    visit(concealed);
    for (int i = 0; i < tiles; ++i) concealed.remove(Tile::of_kind(kind));
    return;
  }
  for (int here = 0; here <= tiles; ++here) {
    for_each_suit(concealed, kind + 1, tiles - here, visit);
    concealed.add(Tile::of_kind(kind));
  }
  while (concealed.count_kind(kind) > 0) concealed.remove(Tile::of_kind(kind));
}

// Tiles of one suit can be read in most ways: more suits leave each too few.
TEST(Readings, HaveRoomForAnyHand) {
  size_t most = 0;
  WinningHand hand;
  const RuleSet rules;
  for_each_suit(hand.concealed, 0, kHandTiles + 1, [&](const Concealed& concealed) {
    for (int kind = 0; kind < 9; ++kind) {
      hand.winning = Tile::of_kind(kind);
      if (concealed.count_kind(kind) > 0) most = std::max(most, readings_of(hand, rules).size());
    }
  });
  EXPECT_GT(most, 1U);
  EXPECT_LE(most, kMostReadings);
}

}  // namespace
}  // namespace ippatsu::mahjong
