#include "mahjong/shanten.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <sstream>

#include <gtest/gtest.h>

#include "base/file.h"
#include "mahjong/shanten_reference.h"
#include "mahjong/shanten_test_hands.h"

namespace ippatsu::mahjong {
namespace {

std::string kinds(KindMask mask) {
  std::vector<Tile> tiles;
  for (int kind = 0; kind < kKinds; ++kind)
    if (mask >> kind & 1) tiles.push_back(Tile::of_kind(kind));
  return notation(tiles);
}

std::string kinds(const KindCounts& counts) {
  std::vector<Tile> tiles;
  for (int kind = 0; kind < kKinds; ++kind)
    tiles.insert(tiles.end(), counts[kind], Tile::of_kind(kind));
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
    const KindCounts counts = counts_from_notation(hand);
    EXPECT_EQ(shanten(counts, melds), expected) << hand;
    const int tiles = std::accumulate(counts.begin(), counts.end(), 0);
    if (tiles % 3 == 2)
      EXPECT_EQ(is_complete(counts), expected == -1) << hand;
    else
      EXPECT_EQ(waits(counts) != 0, expected == 0) << hand;
    ++hands;
  }
  EXPECT_GT(hands, 200);
}

TEST(Shanten, WaitsAreWhatCompletesTheHand) {
  struct Row {
    std::string_view name, concealed, waits;
  };
  constexpr Row kRows[] = {
      {"two sides", "123m456p78s11122z", "69s"},
      {"thirteen sides", "19m19p19s1234567z", "19m19p19s1234567z"},
      {"thirteen orphans with their pair", "19m199p19s123456z", "7z"},
      {"nine gates", "1112345678999m", "123456789m"},
      {"seven pairs", "1122m3344p5566s7z", "7z"},
      {"seven pairs or two runs twice", "1122334455667m", "147m"},
      {"either pair", "123m456p789s22p33z", "2p3z"},
      {"no fifth tile in the hand", "123456789m1111p", ""},
      {"no fifth honour in the hand", "123456789m1111z", ""},
      {"beside a kan of 5s", "234m678p6799s", "58s"},
      {"beside kans of 1p and 4p", "23p99s", "14p"},
      {"three waits", "3335666s555777z", "457s"},
      {"after a kan of the triplet", "5666s555777z", "457s"},
      {"pair after four melds", "5z", "5z"},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(kinds(waits(counts_from_notation(row.concealed))), row.waits) << row.name;
}

// Calls `function` with every way to hold up to `tiles` more tiles of the kinds from `kind` on.
template <typename Function>
void for_each_suit(KindCounts& held, int kind, int tiles, const Function& function) {
  if (kind == 9) return function(held);
  for (int copies = 0; copies <= std::min(kCopies, tiles); ++copies) {
    held[kind] = static_cast<uint8_t>(copies);
    for_each_suit(held, kind + 1, tiles - copies, function);
  }
  held[kind] = 0;
}

using Span = std::span<const uint8_t, kKinds>;

// What the rest of a hand lacks beside its first suit.
reference::Lacking lacking_beside_a_suit(const KindCounts& rest) {
  const Span held(rest);
  return reference::join(reference::join(reference::suit_lacking(held.subspan<9, 9>()),
                                         reference::suit_lacking(held.subspan<18, 9>())),
                         reference::honors_lacking(held.subspan<27>()));
}

// Beside a pair of honours a suit is mostly asked for sets only.
TEST(Shanten, EverySuitAgreesWithTheDynamicProgram) {
  const KindCounts beside[] = {{}, counts_from_notation("11z")};
  const reference::Lacking rest[] = {lacking_beside_a_suit(beside[0]),
                                     lacking_beside_a_suit(beside[1])};
  int suits = 0, wrong = 0;
  KindCounts held{};
  for_each_suit(held, 0, 14, [&](KindCounts hand) {
    const auto suit = reference::suit_lacking(Span(hand).first<9>());
    for (int i = 0; i < 2; ++i) {
      hand[kEast] = beside[i][kEast];
      const auto lacking = reference::join(suit, rest[i]);
      for (int melds = 0; melds <= kSets; ++melds)
        wrong += standard_shanten(hand, melds) != lacking[1][kSets - melds] - 1;
    }
    ++suits;
  });
  EXPECT_EQ(suits, 405350);
  EXPECT_EQ(wrong, 0);
}

TEST(Shanten, RandomHandsAgreeWithTheReference) {
  for (const Wall wall : {Wall::All, Wall::OneSuitAndHonors, Wall::OneSuit})
    for (int melds = 0; melds <= kSets; ++melds)
      for (const int drawn : {0, 1})
        for (const KindCounts& hand : random_hands(wall, kHandTiles + drawn - 3 * melds, 1000)) {
          ASSERT_EQ(shanten(hand, melds), reference::shanten(hand, melds)) << kinds(hand);
          if (drawn == 1)
            ASSERT_EQ(is_complete(hand), reference::is_complete(hand)) << kinds(hand);
          else
            ASSERT_EQ(kinds(waits(hand)), kinds(reference::waits(hand))) << kinds(hand);
        }
}

// Random hands are hardly ever tenpai: hands that are complete but for a tile are.
TEST(Shanten, WaitsOfTenpaiHandsAgreeWithTheReference) {
  int tenpai = 0;
  for (KindCounts& hand : random_hands(Wall::OneSuit, kHandTiles, 20000)) {
    const KindMask expected = reference::waits(hand);
    ASSERT_EQ(kinds(waits(hand)), kinds(expected)) << kinds(hand);
    tenpai += expected != 0;
  }
  EXPECT_GT(tenpai, 1000);
}

}  // namespace
}  // namespace ippatsu::mahjong
