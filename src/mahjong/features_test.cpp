#include "mahjong/features.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "mahjong/test_script.h"

namespace ippatsu::mahjong {
namespace {

using Bits = std::array<uint64_t, kFeatureWords>;

Bits encoded(const Table& table, Seat seat) {
  Bits bits;
  bits.fill(~uint64_t{0});
  encode({.table = &table, .seat = seat}, bits);
  return bits;
}

Bits encoded(const Table& table) { return encoded(table, table.turn()); }

// The columns that are set in plane `offset` of a group, as tiles.
std::string plane(const Bits& bits, std::string_view group, int offset = 0) {
  const auto found = std::ranges::find(feature_groups(), group, &FeatureGroup::name);
  if (found == feature_groups().end()) return "no such group";
  std::vector<Tile> columns;
  for (int column = 0; column < kKinds; ++column) {
    const int bit = (found->first + offset) * kKinds + column;
    if (bits[bit / 64] >> (bit % 64) & 1) columns.push_back(Tile::of_kind(column));
  }
  return notation(columns);
}

// How the group's row in the document begins: "| 7-10 | runs | 4: ".
std::string row_start(const FeatureGroup& group) {
  if (group.count == 1) return fmt::format("| {} | {} | ", group.first, group.name);
  return fmt::format("| {}-{} | {} | {}: ", group.first, group.first + group.count - 1, group.name,
                     group.count);
}

TEST(Features, TheDocumentListsEveryGroup) {
  const std::string document = read_file("docs/features.md");
  EXPECT_NE(document.find(fmt::format("feature version {}\n", kFeatureVersion)), document.npos);
  EXPECT_NE(document.find(fmt::format("{} binary planes", kPlanes)), document.npos);
  EXPECT_NE(document.find(fmt::format("in {} words", kFeatureWords)), document.npos);
  size_t group = 0;
  std::istringstream lines(document);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line[2] < '0' || line[2] > '9') continue;
    ASSERT_LT(group, feature_groups().size()) << line;
    EXPECT_TRUE(line.starts_with(row_start(feature_groups()[group++]))) << line;
  }
  EXPECT_EQ(group, feature_groups().size());
}

TEST(Features, GroupsFillThePlanesWithoutGaps) {
  int next = 0;
  for (const FeatureGroup& group : feature_groups()) {
    EXPECT_EQ(group.first, next) << group.name;
    next += group.count;
  }
  EXPECT_EQ(next, kPlanes);
}

// Seat 0 is in riichi and its discard was called by seat 2; seat 1 decides.
TEST(Features, PlanesShowTheTable) {
  const Bits bits = encoded(played({{"123m789p78s11122z", "0555p169m11223s4z", "77p4z"},
                                    "0+7p 0! 0= 0$ 2:pon:7p:77p 2-4z 3+2m 3= 0+3z 0= 1+0m",
                                    "4m",
                                    {31000, 25000, 24000, 20000}}));
  struct Row {
    std::string_view group;
    int offset;
    std::string_view columns;
  };
  constexpr std::string_view kAll = "123456789m123456789p123456789s1234567z";
  const Row kRows[] = {
      {"own tiles", 0, "1569m5p123s4z"},
      {"own tiles", 1, "5p12s"},
      {"own tiles", 3, "5p"},
      {"own red fives", 0, "5m5p"},
      {"drawn tile", 0, "5m"},
      {"legal discards", 0, "1569m5p123s4z"},
      {"triplets", 1, "7p"},
      {"triplets", 0, ""},
      {"discards 1 to 6", 3, "7p3z"},
      {"discards 1 to 6", 1, "4z"},
      {"discards 1 to 6", 2, "2m"},
      {"last discard", 3, "3z"},
      {"second last discard", 3, "7p"},
      {"third last discard", 3, ""},
      {"discards from the hand", 1, "4z"},
      {"discards as drawn", 2, "2m"},
      {"discards called away", 3, "7p"},
      {"riichi discard", 2, "7p"},
      {"passed since riichi", 2, "2m7p34z"},
      {"passed since riichi", 0, ""},
      {"riichi", 2, kAll},
      {"riichi", 0, ""},
      {"ippatsu", 2, ""},
      {"declaring riichi", 0, ""},
      {"dora indicators", 0, "4m"},
      {"dora", 0, "5m"},
      {"seen tiles", 0, "124569m57p123s34z"},
      {"seen tiles", 1, "57p12s4z"},
      {"seen tiles", 2, "57p"},
      {"seen red fives", 0, "5m5p"},
      {"round wind", 0, "1z"},
      {"own wind", 0, "2z"},
      {"round number", 0, "1m"},
      {"last round", 0, ""},
      {"three players", 0, ""},
      {"points", 0, "123456789m123p"},     // 25000: twelve steps
      {"points", 3, "123456789m123456p"},  // 30000 after the stick
      {"own rank", 0, "2m"},
      {"honba", 0, ""},
      {"sticks", 0, "1m"},
      {"tiles left", 0, "123456789m123456789p123456789s123456z"},  // 66: thirty-three steps
      {"turn", 0, ""},
      {"shanten", 0, "123m"},  // two more tiles to tenpai
      {"calls that bring nearer", 0, ""},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(plane(bits, row.group, row.offset), row.columns) << row.group << " " << row.offset;
}

// 4p or 7p may go, and 6s and 9s are won on: eight tiles, more than 0, 2, 4 and 6.
TEST(Features, PlanesShowWhatADiscardLeadsTo) {
  const Bits bits = encoded(played({{"123m456p78s11122z"}, "0+7p"}));
  EXPECT_EQ(plane(bits, "shanten"), "1m");
  EXPECT_EQ(plane(bits, "nearest discards"), "47p");
  EXPECT_EQ(plane(bits, "live tiles", 3), "47p");
  EXPECT_EQ(plane(bits, "live tiles", 4), "");
  EXPECT_EQ(plane(bits, "widest discards"), "47p");
  EXPECT_EQ(plane(bits, "accepted tiles"), "69s");
}

// With 7p seat 1 may chi, in the middle of 678p, and has one tile less to go.
TEST(Features, PlanesShowWhatACallLeadsTo) {
  const Bits bits = encoded(played({{"7p", "123456m68p1139s4z"}, "0+7p 0-7p"}), 1);
  EXPECT_EQ(plane(bits, "shanten"), "123m");
  EXPECT_EQ(plane(bits, "nearest discards"), "");
  EXPECT_EQ(plane(bits, "accepted tiles"), "7p12345789s4z");
  EXPECT_EQ(plane(bits, "other legal actions"), "4m5p");  // chi in the middle, pass
  EXPECT_EQ(plane(bits, "calls that bring nearer"), "4m");
}

TEST(Features, WithThreePlayersNobodySitsAcross) {
  const Bits bits =
      encoded(played({{"4z"}, "0+5p 0:north 0+6p 0= 1+1m 1= 2+9m 2= 0+9s", "1m", {}, 3}));
  EXPECT_EQ(plane(bits, "norths set aside", 0), "1m");
  EXPECT_EQ(plane(bits, "last discard", 1), "1m");
  EXPECT_EQ(plane(bits, "last discard", 2), "");
  EXPECT_EQ(plane(bits, "last discard", 3), "9m");
  EXPECT_EQ(plane(bits, "dora", 0), "9m");
}

// Whatever the others hold, the planes are the same.
TEST(Features, OtherHandsAreNotSeen) {
  const std::string_view own = "123m456p78s11122z", script = "0+7p";
  const Bits bits = encoded(played({{own, "19m19p19s1234567z", "2345678m234567p"}, script}));
  EXPECT_EQ(bits, encoded(played({{own, "2345678m234567p", "19m19p19s1234567z"}, script})));
  EXPECT_EQ(bits, encoded(played({{own}, script})));
}

TEST(Features, BitsPastTheLastPlaneAreZero) {
  const Bits bits = encoded(played({{}, "0+7p"}));
  static_assert(kFeatureBits % 64 != 0);
  EXPECT_EQ(bits.back() >> (kFeatureBits % 64), 0U);
}

}  // namespace
}  // namespace ippatsu::mahjong
