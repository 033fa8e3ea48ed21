#include "mahjong/event.h"

#include "base/error.h"

namespace ippatsu::mahjong {

Indicators indicators_of(std::span<const Tile> tiles) {
  if (tiles.size() > kMostIndicators)
    fail("{} dora indicators (at most {} can be turned)", tiles.size(), kMostIndicators);
  Indicators indicators;
  for (const Tile tile : tiles) indicators.push_back(tile);
  return indicators;
}

std::string_view name_of(DrawKind kind) {
  constexpr std::array<std::string_view, 8> kNames = {
      "an unstated rule", "an empty wall", "nagashi mangan", "nine terminals and honours",
      "four equal winds", "four riichi",   "four kans",      "three winners"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace ippatsu::mahjong
