#include "mahjong/hand.h"

#include <algorithm>

namespace ippatsu::mahjong {

bool Concealed::holds(std::span<const Tile> tiles) const {
  Concealed left = *this;
  for (const Tile tile : tiles) {
    if (left.count(tile) == 0) return false;
    left.remove(tile);
  }
  return true;
}

int Meld::lowest_kind() const {
  int lowest = all[0].kind();
  for (const Tile tile : tiles()) lowest = std::min(lowest, tile.kind());
  return lowest;
}

std::string notation(const Concealed& concealed) {
  std::vector<Tile> tiles;
  for (int index = 0; index < kTiles; ++index)
    tiles.insert(tiles.end(), concealed.count(Tile::of_index(index)), Tile::of_index(index));
  return notation(tiles);
}

}  // namespace ippatsu::mahjong
