#pragma once

// What a complete hand is worth: its yaku, fu and limit.
//
//     if (const auto value = hand_value(hand, rules)) use(value->yaku, value->fu, value->han);

#include <cstdint>
#include <optional>

#include "mahjong/rules.h"
#include "mahjong/winning_hand.h"
#include "mahjong/yaku.h"

namespace ippatsu::mahjong {

// Where the fu come from; each a number of fu before rounding up.
struct FuParts {
  uint8_t base = 0;        // 20; 25 for seven pairs; thirteen orphans have no fu at all
  uint8_t closed_ron = 0;  // 10
  uint8_t tsumo = 0;       // 2
  uint8_t wait = 0;        // 2
  uint8_t pair = 0;        // 2 or 4
  uint8_t sets = 0;        // triplets and kans
  uint8_t open_pinfu = 0;  // 2, what lifts an open hand of 20 fu to 30

  friend bool operator==(const FuParts&, const FuParts&) = default;
};

enum class Limit : uint8_t { None, Mangan, Haneman, Baiman, Sanbaiman, Yakuman };

// Base points: a non-dealer's ron pays four times, a dealer's six times as much.
inline constexpr int kManganPoints = 2000;
inline constexpr int kYakumanPoints = 8000;

struct HandValue {
  YakuList yaku;  // by number; with a yakuman the yakuman alone
  int han = 0;    // all together, dora too
  int fu = 0;     // rounded up to tens; 25 for seven pairs, 0 for thirteen orphans
  FuParts fu_parts;
  int yakuman = 0;  // how many count; 0 for others, kazoe too
  Limit limit = Limit::None;
  int base_points = 0;  // not rounded

  friend bool operator==(const HandValue&, const HandValue&) = default;
};

// The reading of the hand that pays most; of equal ones a yakuman, else that with most han, then
// fu. None where the hand is not complete or has no yaku: dora alone are none.
std::optional<HandValue> hand_value(const WinningHand& hand, const RuleSet& rules);

// Only whether hand_value() is something: whether this may be won on.
bool has_yaku(const WinningHand& hand, const RuleSet& rules);

}  // namespace ippatsu::mahjong
