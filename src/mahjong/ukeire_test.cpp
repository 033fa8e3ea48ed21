#include "mahjong/ukeire.h"

#include <bit>

#include <gtest/gtest.h>

#include "mahjong/shanten_reference.h"
#include "mahjong/shanten_test_hands.h"

namespace ippatsu::mahjong {
namespace {

KindMask mask(std::string_view kinds) {
  KindMask mask = 0;
  for (const Tile tile : tiles_from_notation(kinds)) mask |= KindMask{1} << tile.kind();
  return mask;
}

TEST(Ukeire, KindsThatBringTheHandNearer) {
  struct Row {
    std::string_view name, concealed;
    int melds;
    std::string_view accepted;
    int unseen;
  };
  constexpr Row kRows[] = {
      {"two sides", "123m456p78s11122z", 0, "69s", 8},
      {"closed wait", "123m456p79s11122z", 0, "8s", 4},
      {"two shapes and no pair", "23m456p78s111222z", 0, "1234m6789s", 28},
      {"pair of a single tile", "5z", 4, "5z", 3},
      {"no fifth tile, so all others", "1111z", 3, "123456789m123456789p123456789s234567z", 132},
      {"seven pairs", "1122m3355p7799s1z", 0, "1z", 3},
      {"thirteen sides", "19m19p19s1234567z", 0, "19m19p19s1234567z", 39},
  };
  for (const Row& row : kRows) {
    const KindCounts counts = counts_from_notation(row.concealed);
    EXPECT_EQ(accepted_kinds(counts, row.melds), mask(row.accepted)) << row.name;
    EXPECT_EQ(unseen_tiles(accepted_kinds(counts, row.melds), counts), row.unseen) << row.name;
  }
}

TEST(Ukeire, OptionsInTheOrderOfTheKinds) {
  const KindCounts hand = counts_from_notation("12367m456p1p789s22z");
  KindCounts seen = hand;
  seen[4] += 1;  // one 5m lies open
  const DiscardOptions options = discard_options(hand, 0, seen);
  const auto kind = [](std::string_view name) { return std::countr_zero(mask(name)); };
  ASSERT_EQ(options.size(), 13);
  EXPECT_EQ(options[3], (DiscardOption{kind("6m"), 1, mask("56789m123p2z"), 30}));
  EXPECT_EQ(options[5], (DiscardOption{kind("1p"), 0, mask("58m"), 7}));
  EXPECT_EQ(options[6], (DiscardOption{kind("4p"), 1, mask("58m47p"), 14}));
  EXPECT_EQ(options[12], (DiscardOption{kind("2z"), 1, mask("58m1p2z"), 12}));
}

// What a discard leaves, by trying out every tile.
DiscardOption tried_out(KindCounts hand, int kind, int melds, const KindCounts& seen) {
  --hand[kind];
  DiscardOption option{kind, reference::shanten(hand, melds), 0, 0};
  for (int drawn = 0; drawn < kKinds; ++drawn) {
    if (hand[drawn] == kCopies) continue;
    ++hand[drawn];
    if (reference::shanten(hand, melds) < option.shanten) {
      option.accepted |= KindMask{1} << drawn;
      option.tiles += kCopies - seen[drawn];
    }
    --hand[drawn];
  }
  return option;
}

TEST(Ukeire, OptionsAgreeWithTryingEveryTile) {
  for (const Wall wall : {Wall::All, Wall::OneSuitAndHonors, Wall::OneSuit})
    for (int melds = 0; melds <= kSets; ++melds)
      for (const KindCounts& hand : random_hands(wall, kHandTiles + 1 - 3 * melds, 10)) {
        DiscardOptions expected;
        for (int kind = 0; kind < kKinds; ++kind)
          if (hand[kind] > 0) expected.push_back(tried_out(hand, kind, melds, hand));
        EXPECT_EQ(discard_options(hand, melds, hand), expected);
      }
}

}  // namespace
}  // namespace ippatsu::mahjong
