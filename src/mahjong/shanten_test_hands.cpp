#include "mahjong/shanten_test_hands.h"

#include <algorithm>
#include <random>

namespace ippatsu::mahjong {

namespace {

std::vector<int> kinds_of_tiles(Wall wall) {
  std::vector<int> tiles;
  for (int kind = 0; kind < kKinds; ++kind)
    if (wall == Wall::All || suit_of(kind) == 0 || (wall != Wall::OneSuit && is_honor(kind)))
      tiles.insert(tiles.end(), kCopies, kind);
  return tiles;
}

}  // namespace

KindCounts counts_from_notation(std::string_view hand) {
  KindCounts counts{};
  for (const Tile tile : tiles_from_notation(hand)) ++counts[tile.kind()];
  return counts;
}

std::vector<KindCounts> random_hands(Wall wall, int tiles, size_t hands) {
  std::mt19937_64 random(1);
  const std::vector<int> all = kinds_of_tiles(wall);
  std::vector<int> drawn(tiles);
  std::vector<KindCounts> counts(hands);
  for (KindCounts& hand : counts) {
    std::ranges::sample(all, drawn.begin(), tiles, random);
    for (const int kind : drawn) ++hand[kind];
  }
  return counts;
}

}  // namespace ippatsu::mahjong
