#pragma once

// What a seat sees of the table, counted.

#include "mahjong/table.h"
#include "mahjong/ukeire.h"
#include "play/player.h"

namespace ippatsu::play {

struct Sight {
  explicit Sight(const Question& question);

  const mahjong::Table& table;
  const mahjong::SeatState& self;
  mahjong::Seat seat;
  mahjong::KindCounts seen;       // its own tiles and all that lies open
  mahjong::KindCounts dora{};     // how often each kind is dora
  mahjong::KindMask yakuhai = 0;  // kinds of which it gets a yaku for a triplet

  int unseen(int kind) const { return mahjong::kCopies - seen[kind]; }
  int melds() const { return static_cast<int>(self.melds.size()); }
  bool open() const { return !self.closed(); }

  // Dora and red fives, in han.
  int bonus(mahjong::Tile tile) const { return dora[tile.kind()] + (tile.red() ? 1 : 0); }
  int bonus(const mahjong::Concealed& concealed) const;
  int bonus(const mahjong::Melds& melds) const;

  // 0 is the first; equal points rank by seat.
  int rank() const;
};

}  // namespace ippatsu::play
