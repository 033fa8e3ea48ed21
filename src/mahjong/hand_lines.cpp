// Analyses hands for another program: reads lines "HAND MELDS" such as "123m456p11z 2" from the
// standard input, and answers each with a line of its shanten, the shanten by sets and a pair,
// seven pairs and thirteen orphans (these two as if there were no melds), and the waits of 3n+1
// tiles.

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "base/error.h"
#include "mahjong/hand.h"
#include "mahjong/shanten.h"

namespace ippatsu::mahjong {
namespace {

struct HandLine {
  std::vector<Tile> tiles;
  int melds = -1;
};

HandLine parse(const std::string& line) {
  std::istringstream fields(line);
  std::string hand;
  HandLine parsed;
  fields >> hand >> parsed.melds;
  parsed.tiles = tiles_from_notation(hand);
  const int missing = kHandTiles - 3 * parsed.melds - static_cast<int>(parsed.tiles.size());
  if (parsed.melds < 0 || parsed.melds > kSets || (missing != 0 && missing != -1))
    fail("{}: wanted HAND MELDS with 13 or 14 tiles, three of them for each meld", line);
  return parsed;
}

KindCounts count_kinds(const std::vector<Tile>& tiles) {
  KindCounts counts{};
  for (const Tile tile : tiles)
    if (++counts[tile.kind()] > kCopies) fail("a fifth {}", short_name(tile));
  return counts;
}

std::string notation(KindMask mask) {
  std::vector<Tile> tiles;
  for (int kind = 0; kind < kKinds; ++kind)
    if (mask >> kind & 1) tiles.push_back(Tile::of_kind(kind));
  return notation(tiles);
}

std::string answer(const std::string& line) {
  const HandLine hand = parse(line);
  const KindCounts counts = count_kinds(hand.tiles);
  const KindMask completing = hand.tiles.size() % 3 == 1 ? waits(counts) : 0;
  return fmt::format("{} {} {} {} {}\n", shanten(counts, hand.melds),
                     standard_shanten(counts, hand.melds), seven_pairs_shanten(counts),
                     thirteen_orphans_shanten(counts), notation(completing));
}

int run() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(line);
  return 0;
}

}  // namespace
}  // namespace ippatsu::mahjong

int main() try { return ippatsu::mahjong::run(); } catch (const ippatsu::Error& error) {
  std::fprintf(stderr, "hand_lines: %s\n", error.what());
  return 1;
}
