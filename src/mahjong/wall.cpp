#include "mahjong/wall.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/split_mix.h"

namespace ippatsu::mahjong {

namespace {

constexpr std::array<Tile, kWallTiles> sorted_tiles(bool red_fives) {
  std::array<Tile, kWallTiles> tiles;
  for (int i = 0; i < kWallTiles; ++i) {
    const int kind = i / kCopies;
    const bool red = red_fives && is_five(kind) && i % kCopies == 0;
    tiles[i] = red ? Tile::red_five(suit_of(kind)) : Tile::of_kind(kind);
  }
  return tiles;
}

constexpr std::array kSorted = {sorted_tiles(false), sorted_tiles(true)};

}  // namespace

std::string shuffled_seed(uint64_t seed) { return fmt::format("{}{}", kShuffledSeed, seed); }

Wall Wall::shuffled(uint64_t seed, int round, bool red_fives) {
  SplitMix64 random(SplitMix64(seed + SplitMix64::kStep * static_cast<uint64_t>(round)).next());
  Wall wall(kSorted[red_fives]);
  for (uint32_t i = kWallTiles - 1; i > 0; --i)
    std::swap(wall.tiles_[i], wall.tiles_[random.below(i + 1)]);
  return wall;
}

Hand Wall::hand(int place) const {
  Hand hand;
  auto out = hand.begin();
  for (int turn = 0; turn < 3; ++turn)
    out = std::copy_n(tiles_.begin() + 4 * (kSeats * turn + place), 4, out);
  *out = tiles_[4 * 3 * kSeats + place];
  return hand;
}

// The dead wall is taken two by two from its end, the upper tile first.
Tile Wall::replacement(int i) const { return tiles_[134 - i / 2 * 2 + i % 2]; }

Indicators Wall::ura_indicators(size_t count) const {
  Indicators indicators;
  for (size_t i = 0; i < count; ++i) indicators.push_back(ura_indicator(static_cast<int>(i)));
  return indicators;
}

}  // namespace ippatsu::mahjong
