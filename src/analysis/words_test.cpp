#include "analysis/words.h"

#include <gtest/gtest.h>

namespace ippatsu::analysis {
namespace {

using namespace mahjong;

TEST(Words, NameRounds) {
  EXPECT_EQ(round_words({.round_wind = Wind::East, .number = 1}), (Words{"東1局", "East 1"}));
  EXPECT_EQ(round_words({.round_wind = Wind::South, .number = 3, .honba = 2}),
            (Words{"南3局 2本場", "South 3, honba 2"}));
}

TEST(Words, TellTsumoFromRon) {
  EXPECT_EQ(action_words(Action::win(), true), (Words{"ツモ", "tsumo"}));
  EXPECT_EQ(action_words(Action::win(), false), (Words{"ロン", "ron"}));
}

// Nothing that may be chosen is without a word.
TEST(Words, NameEveryAction) {
  for (int i = 0; i < Action::kCount; ++i) {
    const Words words = action_words(Action::of_index(i), false);
    EXPECT_FALSE(words.ja.empty() || words.en.empty()) << to_string(Action::of_index(i));
  }
  EXPECT_EQ(tile_words(Tile::red_five(0)), (Words{"0m", "0m"}));
  EXPECT_EQ(tile_words(Tile::of_kind(kEast + 5)), (Words{"發", "hatsu"}));
}

TEST(Words, TellWhatAHandIsWorth) {
  WonHand won;
  won.value = HandValue{.yaku = {{Yaku::Riichi, 1}, {Yaku::Pinfu, 1}, {Yaku::Dora, 3}},
                        .han = 5,
                        .fu = 30,
                        .limit = Limit::Mangan};
  EXPECT_EQ(yaku_words(won), (Words{"立直・平和・ドラ3", "riichi, pinfu, dora 3"}));
  EXPECT_EQ(value_words(won), (Words{"5飜30符 満貫", "5 han 30 fu, mangan"}));
  won.value =
      HandValue{.yaku = {{Yaku::Kokushi, 13}}, .han = 13, .yakuman = 1, .limit = Limit::Yakuman};
  EXPECT_EQ(value_words(won), (Words{"役満", "yakuman"}));
  won.value.reset();
  EXPECT_EQ(value_words(won), (Words{}));
  won.win.stated = {.yaku = {{Yaku::Tanyao, 1}}, .han = 1, .fu = 40, .points = {}};
  EXPECT_EQ(yaku_words(won).en, "tanyao");
  EXPECT_EQ(value_words(won).en, "1 han 40 fu");
}

}  // namespace
}  // namespace ippatsu::analysis
