#pragma once

// The tables that shanten, waits and ukeire are read from.
//
// A hand is four groups, the suits and the honours, and no set reaches over two of them. All that
// the rest of a hand has to know of a group is how many tiles it lacks for each number of sets,
// with the pair and without. Half a million groups have only some hundred such rows between them:
// rows are numbered, two numbers are joined by a look-up, and two joined ones give the shanten.

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <vector>

#include "mahjong/hand.h"
#include "mahjong/tile.h"

namespace ippatsu::mahjong {

inline constexpr int kGroups = 4;
inline constexpr int kHonorGroup = 3;
inline constexpr int kSuitLength = 9;
inline constexpr int kHonors = kKinds - kSuitedKinds;

// What a group holds, as two numbers in base 5: its kinds 0..3 in the lower 32 bits, its other
// kinds above them, the first kind being the lowest digit.
using GroupKey = uint64_t;

// What one tile more of a group's kind adds to the key.
inline constexpr std::array<GroupKey, kSuitLength> kOneTile = [] {
  std::array<GroupKey, kSuitLength> tile{1, 5, 25, 125};
  for (int i = 4; i < kSuitLength; ++i) tile[i] = i == 4 ? GroupKey{1} << 32 : 5 * tile[i - 1];
  return tile;
}();

constexpr uint32_t lower_half(GroupKey key) { return static_cast<uint32_t>(key); }
constexpr uint32_t upper_half(GroupKey key) { return static_cast<uint32_t>(key >> 32); }
inline constexpr uint32_t kLowerHalves = 5 * 5 * 5 * 5;
inline constexpr uint32_t kUpperHalves = 5 * kLowerHalves;

// Eight counts, a byte each, are drawn together by twos and then by fours.
constexpr GroupKey key_of_eight(uint64_t counts) {
  const uint64_t twos = (counts + 5 * (counts >> 8)) & 0x00ff00ff00ff00ff;
  return (twos + 25 * (twos >> 16)) & 0x0000ffff0000ffff;
}

inline uint64_t eight_counts(const KindCounts& counts, int from) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t eight;
  std::memcpy(&eight, counts.data() + from, sizeof(eight));
  return eight;
}

inline GroupKey suit_key(const KindCounts& counts, int suit) {
  const int from = suit * kSuitLength;
  return key_of_eight(eight_counts(counts, from)) + kOneTile[8] * counts[from + 8];
}

inline GroupKey honor_key(const KindCounts& counts) {
  return key_of_eight(eight_counts(counts, kSuitedKinds - 1) >> 8);
}

using HandKeys = std::array<GroupKey, kGroups>;

inline HandKeys keys_of(const KindCounts& counts) {
  return {suit_key(counts, 0), suit_key(counts, 1), suit_key(counts, 2), honor_key(counts)};
}

// Counters of four bits each. Those of the groups add up to those of the hand.
using Counters = uint32_t;

enum class Counter : uint8_t { Tiles, Kinds, Pairs, Orphans, OrphanPairs };

constexpr Counters one(Counter counter) { return Counters{1} << 4 * static_cast<int>(counter); }
constexpr int count(Counters counters, Counter counter) {
  return static_cast<int>(counters >> 4 * static_cast<int>(counter) & 15);
}

constexpr int seven_pairs_shanten(Counters counters) {
  return 6 - count(counters, Counter::Pairs) + std::max(0, 7 - count(counters, Counter::Kinds));
}
constexpr int thirteen_orphans_shanten(Counters counters) {
  const int pair = std::min(1, count(counters, Counter::OrphanPairs));
  return 13 - count(counters, Counter::Orphans) - pair;
}

// A group as the shanten sees it: its counters, and above them the number of its row.
using GroupShape = uint32_t;
using HandShape = std::array<GroupShape, kGroups>;

inline constexpr int kRowShift = 24;
constexpr uint32_t row_of(GroupShape shape) { return shape >> kRowShift; }

// The rows add up as well, and out of the highest bits.
constexpr Counters counters_of(const HandShape& shape) {
  return shape[0] + shape[1] + shape[2] + shape[3];
}

// A group as the waits see it: the kinds of which one more makes it sets, or sets and a pair; and
// above them how many pairs it has beside sets now, kUneven if it is anything else.
using GroupWaits = uint16_t;
using HandWaits = std::array<GroupWaits, kGroups>;

inline constexpr int kUneven = 2;
constexpr int pairs_in(GroupWaits waits) { return waits >> kSuitLength; }
constexpr KindMask kinds_in(GroupWaits waits) { return waits & ((1U << kSuitLength) - 1); }

// Numbers the keys of at most 14 tiles without gaps, in ascending order of the upper half.
class KeyNumbers {
 public:
  explicit KeyNumbers(int kinds);

  uint32_t size() const { return size_; }
  uint32_t operator[](GroupKey key) const {
    return first_[upper_half(key)] + rank_[lower_half(key)];
  }

 private:
  std::array<uint32_t, kUpperHalves> first_{};  // of the keys with this upper half
  std::array<uint16_t, kLowerHalves> rank_{};   // those of few tiles, which go with more, lead
  uint32_t size_ = 0;
};

class RowNumbers;

// What is known of the groups of one sort: suits or honours.
class GroupTable {
 public:
  GroupTable(int kinds, bool runs, RowNumbers& rows);

  GroupShape shape(GroupKey key) const { return shapes_[number(key)]; }
  GroupWaits waits(GroupKey key) const { return waits_[number(key)]; }

 private:
  uint32_t number(GroupKey key) const {
    assert(numbers_[key] < numbers_.size());
    return numbers_[key];
  }

  KeyNumbers numbers_;
  std::vector<GroupShape> shapes_;
  std::vector<GroupWaits> waits_;
};

// All groups of a hand but one, about to be completed by it.
class OtherGroups {
 public:
  OtherGroups(const uint8_t* joined, const int8_t* standard, Counters counters, bool melds)
      : joined_(joined), standard_(standard), counters_(counters), melds_(melds) {}

  int standard_shanten(GroupShape group) const { return standard_[joined_[row_of(group)]]; }

  int shanten(GroupShape group) const {
    const int standard = standard_shanten(group);
    if (melds_) return standard;
    const Counters counters = counters_ + group;
    return std::min({standard, seven_pairs_shanten(counters), thirteen_orphans_shanten(counters)});
  }

 private:
  const uint8_t* joined_;   // by row: number of the row together with that of the neighbour
  const int8_t* standard_;  // by that number: shanten, the other two groups being what they are
  Counters counters_;
  bool melds_;
};

class ShantenTable {
 public:
  // Built at the first call, in about 50 ms.
  static const ShantenTable& get() {
    static const ShantenTable table;
    return table;
  }

  const GroupTable& group(int group) const { return group == kHonorGroup ? honors_ : suits_; }

  HandShape shape(const HandKeys& keys) const {
    return {suits_.shape(keys[0]), suits_.shape(keys[1]), suits_.shape(keys[2]),
            honors_.shape(keys[3])};
  }

  HandWaits waits(const HandKeys& keys) const {
    return {suits_.waits(keys[0]), suits_.waits(keys[1]), suits_.waits(keys[2]),
            honors_.waits(keys[3])};
  }

  // What a hand is without one of its groups.
  OtherGroups others(const HandShape& shape, int group, int melds) const {
    const std::array<uint32_t, 2> far = {row_of(shape[group ^ 2]), row_of(shape[group ^ 3])};
    return {joined_[row_of(shape[group ^ 1])].data(),
            standard_[melds][joined_[far[0]][far[1]]].data(), counters_of(shape) - shape[group],
            melds > 0};
  }

  int standard_shanten(const HandShape& shape, int melds) const {
    return others(shape, 0, melds).standard_shanten(shape[0]);
  }

  int shanten(const HandShape& shape, int melds) const {
    return others(shape, 0, melds).shanten(shape[0]);
  }

 private:
  ShantenTable();
  explicit ShantenTable(RowNumbers&& rows);

  static constexpr int kRows = 130;
  static constexpr int kJoinedRows = 180;

  GroupTable suits_;
  GroupTable honors_;
  std::array<std::array<uint8_t, kRows>, kRows> joined_{};
  std::array<std::array<std::array<int8_t, kJoinedRows>, kJoinedRows>, kSets + 1> standard_{};
};

}  // namespace ippatsu::mahjong
