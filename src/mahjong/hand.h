#pragma once

// What a seat holds: concealed tiles and melds.

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "base/fixed_vector.h"
#include "mahjong/seat.h"
#include "mahjong/tile.h"

namespace ippatsu::mahjong {

inline constexpr int kHandTiles = 13;
inline constexpr int kSets = 4;      // of a complete hand, beside its pair
inline constexpr int kMostKans = 4;  // of all seats

using Hand = std::array<Tile, kHandTiles>;

// Concealed tiles, the drawn one included.
class Concealed {
 public:
  int count(Tile tile) const { return by_tile_[tile.index()]; }
  int count_kind(int kind) const { return by_kind_[kind]; }
  const KindCounts& kinds() const { return by_kind_; }
  int size() const { return size_; }
  TileMask distinct() const { return distinct_; }
  bool holds(std::span<const Tile> tiles) const;  // each as often as it is named

  void add(Tile tile) {
    ++by_tile_[tile.index()];
    ++by_kind_[tile.kind()];
    ++size_;
    distinct_ |= mask_of(tile);
  }

  void remove(Tile tile) {  // which must be there
    assert(count(tile) > 0);
    if (--by_tile_[tile.index()] == 0) distinct_ &= ~mask_of(tile);
    --by_kind_[tile.kind()];
    --size_;
  }

  friend bool operator==(const Concealed&, const Concealed&) = default;

 private:
  TileMask distinct_ = 0;
  std::array<uint8_t, kTiles> by_tile_{};
  KindCounts by_kind_{};
  uint8_t size_ = 0;
};

enum class MeldKind : uint8_t { Chi, Pon, OpenKan, AddedKan, ClosedKan };

struct Meld {
  MeldKind kind;
  Seat from;    // whose discard was called; the owner's own seat for a closed kan
  Tile called;  // that discard; the first tile of a closed kan
  uint8_t size = 0;
  std::array<Tile, kCopies> all{};

  std::span<const Tile> tiles() const { return {all.data(), size}; }
  bool is_kan() const { return kind >= MeldKind::OpenKan; }
  int lowest_kind() const;

  friend bool operator==(const Meld&, const Meld&) = default;
};

using Melds = FixedVector<Meld, kSets>;

// "123m0p11z"
std::string notation(const Concealed& concealed);

}  // namespace ippatsu::mahjong
