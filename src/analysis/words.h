#pragma once

// What a mahjong player calls things, in Japanese and in English.

#include <string>
#include <string_view>

#include "analysis/course.h"
#include "mahjong/action.h"

namespace ippatsu::analysis {

enum class Language : uint8_t { Japanese, English };

struct Words {
  std::string ja, en;

  friend bool operator==(const Words&, const Words&) = default;
};

Words wind_words(mahjong::Wind wind);                 // 東, East
Words round_words(const mahjong::StartRound& round);  // 東1局 1本場, East 1, honba 1
Words draw_words(mahjong::DrawKind kind);             // 流局, exhaustive draw

// 立直, riichi. A discard has the tile's name. A win is ツモ on one's own turn, else ロン.
Words action_words(mahjong::Action action, bool own_turn);

// "5m" for a suited tile, "0m" for a red five; 東 and E for honours.
Words tile_words(mahjong::Tile tile);

// 立直・平和・ドラ1, riichi, pinfu, dora 1. Empty where neither the rules nor the source know yaku.
Words yaku_words(const WonHand& won);

// 3飜30符, 3 han 30 fu; with its limit from mangan up. Empty where it is not known.
Words value_words(const WonHand& won);

}  // namespace ippatsu::analysis
