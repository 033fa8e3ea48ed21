#pragma once

// The ways in which a complete hand can be read: which sets and pair it is made of, and which of
// them the winning tile completed. Yaku and fu belong to one reading, not to the hand.

#include <cstdint>

#include "base/fixed_vector.h"
#include "mahjong/hand.h"
#include "mahjong/rules.h"
#include "mahjong/tile.h"
#include "mahjong/winning_hand.h"

namespace ippatsu::mahjong {

enum class Form : uint8_t { Sets, SevenPairs, ThirteenOrphans };

// What the winning tile completed: a run at an open end (ryanmen), at its only end (penchan) or in
// the middle (kanchan), a triplet (shanpon), or the pair (tanki).
enum class Wait : uint8_t { TwoSided, Edge, Middle, Triplet, Pair };

struct HandSet {
  int8_t lowest = 0;  // kind
  bool run = false;
  bool kan = false;
  bool concealed = true;  // neither called nor completed by ron

  friend bool operator==(const HandSet&, const HandSet&) = default;
};

struct Reading {
  const WinningHand* hand = nullptr;
  const RuleSet* rules = nullptr;

  Form form = Form::Sets;
  Wait wait = Wait::Pair;
  int8_t pair = 0;                   // kind; with Form::Sets
  FixedVector<HandSet, kSets> sets;  // four with Form::Sets, else none

  bool closed = true;     // no open meld
  KindMask kinds = 0;     // of all tiles
  KindMask runs = 0;      // the lowest kinds of the runs
  KindMask triplets = 0;  // the kinds of triplets and kans
  int twin_runs = 0;      // pairs of equal runs
  int concealed_triplets = 0;
  int kans = 0;

  const WinSituation& situation() const { return hand->situation; }
};

// Enough for any tiles at all: the test tries them.
inline constexpr size_t kMostReadings = 8;

using Readings = FixedVector<Reading, kMostReadings>;

// None where the hand is not complete. They point to the hand and the rules.
Readings readings_of(const WinningHand& hand, const RuleSet& rules);

}  // namespace ippatsu::mahjong
