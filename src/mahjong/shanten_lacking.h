#pragma once

// How many tiles a group, or several together, lack for each number of sets (0..4), without and
// with the pair: the rows of shanten_table.h while they are being worked out.

#include <cstdint>

#include "mahjong/hand.h"

namespace ippatsu::mahjong {

// Ten numbers of six bits. Their highest bit stays free, to compare all ten at once.
class Lacking {
 public:
  constexpr Lacking() = default;

  static constexpr Lacking all(int tiles) { return Lacking(kOnes * static_cast<uint64_t>(tiles)); }

  constexpr int at(int pair, int sets) const {
    return static_cast<int>(bits_ >> shift(pair, sets) & 31);
  }
  constexpr void lower(int pair, int sets, int tiles) {
    if (const int old = at(pair, sets); tiles < old)
      bits_ -= static_cast<uint64_t>(old - tiles) << shift(pair, sets);
  }

  constexpr Lacking one_more() const { return Lacking(bits_ + kOnes); }
  constexpr uint64_t bits() const { return bits_; }

  friend constexpr Lacking least(Lacking a, Lacking b) {
    const uint64_t not_less = ((a.bits_ | kFree) - b.bits_) & kFree;  // where a is not below b
    const uint64_t from_b = not_less - (not_less >> 5);
    return Lacking((b.bits_ & from_b) | (a.bits_ & ~from_b));
  }

 private:
  static constexpr uint64_t kOnes = 01010101010101010101;
  static constexpr uint64_t kFree = kOnes << 5;

  explicit constexpr Lacking(uint64_t bits) : bits_(bits) {}
  static constexpr int shift(int pair, int sets) { return 6 * ((kSets + 1) * pair + sets); }

  uint64_t bits_ = 0;
};

}  // namespace ippatsu::mahjong
