#pragma once

// The 136 tiles of a round in the order in which they are dealt and drawn.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "mahjong/event.h"
#include "mahjong/hand.h"
#include "mahjong/tile.h"

namespace ippatsu::mahjong {

inline constexpr int kWallTiles = kKinds * kCopies;
inline constexpr int kDealtTiles = kSeats * kHandTiles;

// How StartGame::wall_seed names the seed of walls that Wall::shuffled made: "ippatsu:17".
inline constexpr std::string_view kShuffledSeed = "ippatsu:";
std::string shuffled_seed(uint64_t seed);

class Wall {
 public:
  Wall() = default;
  explicit Wall(const std::array<Tile, kWallTiles>& tiles) : tiles_(tiles) {}

  // Shuffled by our own generator: the same on every machine, and independent of what happened in
  // earlier rounds. The output of SplitMix64 (base/split_mix.h) at place `round` of the stream of
  // `seed` begins another stream, which drives a Fisher-Yates shuffle of the sorted tiles from the
  // last one down.
  static Wall shuffled(uint64_t seed, int round, bool red_fives);

  // The hand of the seat that sits `place` after the dealer: three times four tiles in turn, then
  // one.
  Hand hand(int place) const;

  Tile draw(int i) const { return tiles_[kDealtTiles + i]; }  // i-th from the wall, from 0
  Tile replacement(int i) const;                              // i-th for a kan
  Tile dora_indicator(int i) const { return tiles_[130 - 2 * i]; }
  Tile ura_indicator(int i) const { return tiles_[131 - 2 * i]; }
  Indicators ura_indicators(size_t count) const;

  const std::array<Tile, kWallTiles>& tiles() const { return tiles_; }

  friend bool operator==(const Wall&, const Wall&) = default;

 private:
  std::array<Tile, kWallTiles> tiles_{};
};

}  // namespace ippatsu::mahjong
