#pragma once

// Ukeire: which tiles bring a hand nearer to complete, and how many of them are left.
//
// `concealed` and `melds` are those of shanten.h. `seen` counts every tile that the player sees,
// its own hand included; the other tiles of a kind may still come.

#include "base/fixed_vector.h"
#include "mahjong/hand.h"
#include "mahjong/tile.h"

namespace ippatsu::mahjong {

// The kinds that lower the shanten of 3n+1 tiles, whether or not any are left. A kind of which the
// hand conceals all four is never among them.
KindMask accepted_kinds(const KindCounts& concealed, int melds);

int unseen_tiles(KindMask kinds, const KindCounts& seen);

// What a discard leaves.
struct DiscardOption {
  int kind;
  int shanten;
  KindMask accepted;
  int tiles;  // unseen ones of the accepted kinds

  friend bool operator==(const DiscardOption&, const DiscardOption&) = default;
};

using DiscardOptions = FixedVector<DiscardOption, kHandTiles + 1>;

// One option for each kind among 3n+2 tiles, in the order of the kinds.
DiscardOptions discard_options(const KindCounts& concealed, int melds, const KindCounts& seen);

}  // namespace ippatsu::mahjong
