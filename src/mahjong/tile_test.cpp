#include "mahjong/tile.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu::mahjong {
namespace {

TEST(Tile, EveryNameLeadsBack) {
  for (int index = 0; index < kTiles; ++index) {
    const Tile tile = Tile::of_index(index);
    EXPECT_EQ(tile_from_mjai(mjai_name(tile)), tile);
    EXPECT_EQ(tile_from_tenhou_code(tenhou_code(tile)), tile);
    EXPECT_EQ(tiles_from_notation(short_name(tile)), std::vector{tile});
    EXPECT_EQ(tile.red(), index >= kKinds);
    EXPECT_EQ(Tile::of_kind(tile.kind()).kind(), tile.kind());
  }
}

TEST(Tile, FormatsAgree) {
  struct Row {
    std::string_view brief, mjai;
    int tenhou, kind;
    bool red;
  };
  constexpr Row kRows[] = {
      {"1m", "1m", 11, 0, false},  {"9m", "9m", 19, 8, false},  {"1p", "1p", 21, 9, false},
      {"9s", "9s", 39, 26, false}, {"1z", "E", 41, 27, false},  {"2z", "S", 42, 28, false},
      {"3z", "W", 43, 29, false},  {"4z", "N", 44, 30, false},  {"5z", "P", 45, 31, false},
      {"6z", "F", 46, 32, false},  {"7z", "C", 47, 33, false},  {"0m", "5mr", 51, 4, true},
      {"0p", "5pr", 52, 13, true}, {"0s", "5sr", 53, 22, true},
  };
  for (const Row& row : kRows) {
    const Tile tile = tile_from_mjai(row.mjai);
    EXPECT_EQ(short_name(tile), row.brief);
    EXPECT_EQ(tenhou_code(tile), row.tenhou);
    EXPECT_EQ(tile.kind(), row.kind);
    EXPECT_EQ(tile.red(), row.red);
  }
}

TEST(Tile, TenhouIdsGiveFourOfAKindAndOneRedFive) {
  std::array<int, kTiles> with_reds{}, without{};
  for (int id = 0; id < 136; ++id) {
    ++with_reds[tile_from_tenhou_id(id, true).index()];
    ++without[tile_from_tenhou_id(id, false).index()];
    EXPECT_EQ(tile_from_tenhou_id(id, true).kind(), id / 4);
  }
  for (int index = 0; index < kTiles; ++index) {
    const Tile tile = Tile::of_index(index);
    const bool five = index < kSuitedKinds && number_of(index) == 5;
    EXPECT_EQ(with_reds[index], tile.red() ? 1 : five ? 3 : 4);
    EXPECT_EQ(without[index], tile.red() ? 0 : 4);
  }
  EXPECT_TRUE(tile_from_tenhou_id(52, true).red());
}

TEST(Tile, UnknownNamesAreErrors) {
  for (const char* name : {"", "0m", "10m", "5mR", "m1", "Z", "e", "1z", "?", "5zr", "East"})
    EXPECT_THROW(tile_from_mjai(name), Error) << name;
  for (const int64_t code : {-1, 0, 10, 20, 40, 48, 50, 54, 60, 1 << 30})
    EXPECT_THROW(tile_from_tenhou_code(code), Error) << code;
  for (const int64_t id : {-1, 136, 1 << 30})
    EXPECT_THROW(tile_from_tenhou_id(id, true), Error) << id;
  for (const char* text : {"1", "m", "8z", "0z", "12x", "1m2", "1 m"})
    EXPECT_THROW(tiles_from_notation(text), Error) << text;
}

TEST(Tile, NotationGroupsSuits) {
  const std::string text = "123m0p1z33s";
  EXPECT_EQ(notation(tiles_from_notation(text)), text);
  EXPECT_EQ(tiles_from_notation("").size(), 0U);
}

TEST(Tile, DoraFollowsTheIndicator) {
  struct Row {
    std::string_view indicator, dora;
    int players;
  };
  constexpr Row kRows[] = {{"1m", "2m", 4}, {"9m", "1m", 4}, {"0p", "6p", 4}, {"4z", "1z", 4},
                           {"7z", "5z", 4}, {"1m", "9m", 3}, {"9m", "1m", 3}, {"9s", "1s", 3}};
  for (const Row& row : kRows)
    EXPECT_EQ(dora_kind(tiles_from_notation(row.indicator)[0].kind(), row.players),
              tiles_from_notation(row.dora)[0].kind())
        << row.indicator;
}

}  // namespace
}  // namespace ippatsu::mahjong
