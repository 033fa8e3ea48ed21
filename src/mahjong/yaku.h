#pragma once

// The yaku, in one table: a row and its condition each.

#include <cstdint>
#include <span>
#include <string_view>

#include "base/fixed_vector.h"
#include "mahjong/rules.h"

namespace ippatsu::mahjong {

struct Reading;

// In the order and with the numbers of Tenhou's log (0..54).
enum class Yaku : uint8_t {
  Tsumo,
  Riichi,
  Ippatsu,
  Chankan,
  Rinshan,
  Haitei,
  Houtei,
  Pinfu,
  Tanyao,
  Iipeikou,
  SeatEast,
  SeatSouth,
  SeatWest,
  SeatNorth,
  RoundEast,
  RoundSouth,
  RoundWest,
  RoundNorth,
  White,
  Green,
  Red,
  DoubleRiichi,
  SevenPairs,
  Chanta,
  Ittsuu,
  SanshokuDoujun,
  SanshokuDoukou,
  Sankantsu,
  Toitoi,
  Sanankou,
  Shousangen,
  Honroutou,
  Ryanpeikou,
  Junchan,
  Honitsu,
  Chinitsu,
  Renhou,  // not with Tenhou's rules
  Tenhou,
  Chiihou,
  Daisangen,
  Suuankou,
  SuuankouTanki,
  Tsuuiisou,
  Ryuuiisou,
  Chinroutou,
  Chuuren,
  ChuurenNineWaits,
  Kokushi,
  KokushiThirteenWaits,
  Daisuushii,
  Shousuushii,
  Suukantsu,
  Dora,
  UraDora,
  RedFive,
};

inline constexpr int kYakuCount = 55;
inline constexpr int kYakumanHan = 13;  // what a yakuman counts as

enum class YakuRank : uint8_t {
  Common,
  Yakuman,
  RareYakuman,  // counts twice under RuleSet::double_yakuman
  Bonus         // han that are no reason to win: dora
};

struct YakuRow {
  Yaku yaku;
  std::string_view name;      // romanised, as English texts have it
  std::string_view japanese;  // as Tenhou's viewer writes it
  int han_closed;             // 1 a tile for dora
  int han_open;               // 0: only closed hands have it
  YakuRank rank;
  bool (*holds)(const Reading&);  // of hands that are closed where they have to be; null for dora

  // What the yaku is worth in this reading; 0 where the hand does not have it.
  int han(const Reading& reading) const;

  bool is_yakuman() const { return rank == YakuRank::Yakuman || rank == YakuRank::RareYakuman; }
  int times(const RuleSet& rules) const;  // how many yakuman it counts as
};

// One row each, by number.
std::span<const YakuRow> yaku_table();
const YakuRow& row_of(Yaku yaku);

// A yaku that a hand has, and what it is worth; for a yakuman 13 han each time it counts.
struct YakuHan {
  Yaku yaku;
  uint8_t han;

  friend bool operator==(const YakuHan&, const YakuHan&) = default;
};

using YakuList = FixedVector<YakuHan, 16>;

}  // namespace ippatsu::mahjong
