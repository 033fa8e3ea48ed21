#include "mahjong/tile.h"

#include <algorithm>

#include "base/error.h"

namespace ippatsu::mahjong {

namespace {

struct TileNames {
  std::string_view mjai;
  std::string_view brief;
  int tenhou;
};

// One row a tile, by index.
constexpr std::array<TileNames, kTiles> kNames = {{
    {"1m", "1m", 11},  {"2m", "2m", 12},  {"3m", "3m", 13}, {"4m", "4m", 14}, {"5m", "5m", 15},
    {"6m", "6m", 16},  {"7m", "7m", 17},  {"8m", "8m", 18}, {"9m", "9m", 19}, {"1p", "1p", 21},
    {"2p", "2p", 22},  {"3p", "3p", 23},  {"4p", "4p", 24}, {"5p", "5p", 25}, {"6p", "6p", 26},
    {"7p", "7p", 27},  {"8p", "8p", 28},  {"9p", "9p", 29}, {"1s", "1s", 31}, {"2s", "2s", 32},
    {"3s", "3s", 33},  {"4s", "4s", 34},  {"5s", "5s", 35}, {"6s", "6s", 36}, {"7s", "7s", 37},
    {"8s", "8s", 38},  {"9s", "9s", 39},  {"E", "1z", 41},  {"S", "2z", 42},  {"W", "3z", 43},
    {"N", "4z", 44},   {"P", "5z", 45},   {"F", "6z", 46},  {"C", "7z", 47},  {"5mr", "0m", 51},
    {"5pr", "0p", 52}, {"5sr", "0s", 53},
}};

constexpr int kNoTile = -1;

constexpr std::array<int, 54> kOfTenhouCode = [] {
  std::array<int, 54> indices;
  indices.fill(kNoTile);
  for (int index = 0; index < kTiles; ++index) indices[kNames[index].tenhou] = index;
  return indices;
}();

Tile find_tile(std::string_view TileNames::*column, std::string_view name, std::string_view what) {
  const auto row = std::ranges::find(kNames, name, column);
  if (row == kNames.end()) fail("'{}' is not {}", name, what);
  return Tile::of_index(static_cast<int>(row - kNames.begin()));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

int dora_kind(int indicator_kind, int players) {
  if (players == 3 && indicator_kind == 0) return 8;
  if (!is_honor(indicator_kind))
    return indicator_kind % 9 == 8 ? indicator_kind - 8 : indicator_kind + 1;
  constexpr std::array<int, 7> kNextHonor = {28, 29, 30, 27, 32, 33, 31};
  return kNextHonor[indicator_kind - kSuitedKinds];
}

TileMask without_kinds(TileMask tiles, KindMask kinds) {
  constexpr TileMask kKindTiles = (TileMask{1} << kKinds) - 1;
  TileMask barred = kinds & kKindTiles;
  for (int suit = 0; suit < 3; ++suit) {
    const Tile red = Tile::red_five(suit);
    if (kinds >> red.kind() & 1) barred |= mask_of(red);
  }
  return tiles & ~barred;
}

std::string_view mjai_name(Tile tile) { return kNames[tile.index()].mjai; }

Tile tile_from_mjai(std::string_view name) {
  return find_tile(&TileNames::mjai, name, "an mjai tile (1m..9s, E S W N P F C, 5mr 5pr 5sr)");
}

int tenhou_code(Tile tile) { return kNames[tile.index()].tenhou; }

Tile tile_from_tenhou_code(int64_t code) {
  const bool in_table = code >= 0 && code < static_cast<int64_t>(kOfTenhouCode.size());
  const int index = in_table ? kOfTenhouCode[code] : kNoTile;
  if (index == kNoTile)
    fail("{} is not a Tenhou tile (11..19, 21..29, 31..39, 41..47, 51..53)", code);
  return Tile::of_index(index);
}

Tile tile_from_tenhou_id(int64_t id, bool red_fives) {
  if (id < 0 || id >= kKinds * kCopies) fail("{} is not a tile id (0..135)", id);
  const int kind = static_cast<int>(id) / kCopies;
  const bool first_five = !is_honor(kind) && number_of(kind) == 5 && id % kCopies == 0;
  return red_fives && first_five ? Tile::red_five(suit_of(kind)) : Tile::of_kind(kind);
}

std::string_view short_name(Tile tile) { return kNames[tile.index()].brief; }

std::string notation(std::span<const Tile> tiles) {
  std::string text;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const std::string_view name = short_name(tiles[i]);
    text += name[0];
    const bool last_of_suit = i + 1 == tiles.size() || short_name(tiles[i + 1])[1] != name[1];
    if (last_of_suit) text += name[1];
  }
  return text;
}

std::vector<Tile> tiles_from_notation(std::string_view text) {
  std::vector<Tile> tiles;
  std::string_view digits;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      digits = text.substr(i - digits.size(), digits.size() + 1);
      continue;
    }
    if (digits.empty())
      fail("'{}' is no tile notation: '{}' has no digit before it", text, text[i]);
    for (const char digit : digits) {
      const char name[] = {digit, text[i]};
      tiles.push_back(find_tile(&TileNames::brief, std::string_view(name, 2),
                                "a tile (1m..9s, 0m 0p 0s, 1z..7z)"));
    }
    digits = {};
  }
  if (!digits.empty()) fail("'{}' is no tile notation: the last digits have no letter", text);
  return tiles;
}

}  // namespace ippatsu::mahjong
