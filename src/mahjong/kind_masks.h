#pragma once

// The sets of kinds that the rules speak of.

#include "mahjong/tile.h"

namespace ippatsu::mahjong {

constexpr KindMask bit(int kind) { return KindMask{1} << kind; }
constexpr KindMask bits(int first, int count) { return (bit(count) - 1) << first; }

// Every kind of `kinds` is one of `allowed`.
constexpr bool within(KindMask kinds, KindMask allowed) { return (kinds & ~allowed) == 0; }

inline constexpr KindMask kSuited = bits(0, kSuitedKinds);
inline constexpr KindMask kWinds = bits(kEast, 4);
inline constexpr KindMask kDragons = bits(kWhite, 3);
inline constexpr KindMask kHonors = kWinds | kDragons;
inline constexpr KindMask kTerminals = bit(0) | bit(8) | bit(9) | bit(17) | bit(18) | bit(26);
inline constexpr KindMask kOrphans = kTerminals | kHonors;

}  // namespace ippatsu::mahjong
