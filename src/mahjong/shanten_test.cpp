#include "mahjong/shanten.h"

#include <sstream>

#include <gtest/gtest.h>

#include "base/file.h"

namespace ippatsu::mahjong {
namespace {

KindCounts counts(std::string_view hand) {
  KindCounts counts{};
  for (const Tile tile : tiles_from_notation(hand)) ++counts[tile.kind()];
  return counts;
}

std::string kinds(KindMask mask) {
  std::vector<Tile> tiles;
  for (int kind = 0; kind < kKinds; ++kind)
    if (mask >> kind & 1) tiles.push_back(Tile::of_kind(kind));
  return notation(tiles);
}

TEST(Shanten, AgreesWithAnIndependentProgram) {
  std::istringstream lines(read_file("tests/records/shanten.txt"));
  int hands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string hand;
    int melds = 0, expected = 0;
    fields >> hand >> melds >> expected;
    EXPECT_EQ(shanten(counts(hand), melds), expected) << hand;
    const int tiles = static_cast<int>(tiles_from_notation(hand).size());
    if (tiles % 3 == 2)
      EXPECT_EQ(is_complete(counts(hand)), expected == -1) << hand;
    else
      EXPECT_EQ(waits(counts(hand), counts(hand)) != 0, expected == 0) << hand;
    ++hands;
  }
  EXPECT_GT(hands, 200);
}

TEST(Shanten, WaitsAreWhatCompletesTheHand) {
  struct Row {
    std::string_view name, concealed, melds, waits;
  };
  constexpr Row kRows[] = {
      {"two sides", "123m456p78s11122z", "", "69s"},
      {"thirteen sides", "19m19p19s1234567z", "", "19m19p19s1234567z"},
      {"nine gates", "1112345678999m", "", "123456789m"},
      {"seven pairs", "1122m3344p5566s7z", "", "7z"},
      {"no fifth tile in the hand", "123456789m1111p", "", ""},
      {"no fifth tile behind a kan", "234m678p6799s", "5555s", "8s"},
      {"nothing left to wait for", "123456m23p99s", "4444p1111p", ""},
      {"three waits", "3335666s555777z", "", "457s"},
      {"after a kan of the triplet", "5666s555777z", "3333s", "457s"},
  };
  for (const Row& row : kRows) {
    KindCounts owned = counts(row.concealed);
    for (const Tile tile : tiles_from_notation(row.melds)) ++owned[tile.kind()];
    EXPECT_EQ(kinds(waits(counts(row.concealed), owned)), row.waits) << row.name;
  }
}

}  // namespace
}  // namespace ippatsu::mahjong
