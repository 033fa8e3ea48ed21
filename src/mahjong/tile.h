#pragma once

// A mahjong tile and its names in the formats that records come in.
//
// Kinds are numbered 0..33: 1m-9m, 1p-9p, 1s-9s, then E S W N P F C (the four winds, white, green,
// red). Indices 0..36 are the kinds followed by the three red fives 5m 5p 5s: how a Tile is stored.

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ippatsu::mahjong {

inline constexpr int kKinds = 34;
inline constexpr int kSuitedKinds = 27;
inline constexpr int kTiles = 37;  // a red five is told from the others of its kind
inline constexpr int kCopies = 4;  // of each kind
inline constexpr int kEast = 27;   // the kind of the east wind; S W N follow
inline constexpr int kWhite = 31;  // the kind of the white dragon; green and red follow

class Tile {
 public:
  constexpr Tile() = default;  // 1m

  static constexpr Tile of_index(int index) { return Tile(static_cast<uint8_t>(index)); }
  static constexpr Tile of_kind(int kind) { return of_index(kind); }
  static constexpr Tile red_five(int suit) { return of_index(kKinds + suit); }

  constexpr int index() const { return index_; }
  constexpr bool red() const { return index_ >= kKinds; }
  constexpr int kind() const { return red() ? 9 * (index_ - kKinds) + 4 : index_; }

  friend constexpr auto operator<=>(Tile, Tile) = default;

 private:
  explicit constexpr Tile(uint8_t index) : index_(index) {}

  uint8_t index_ = 0;
};

inline constexpr Tile kNorth = Tile::of_kind(kEast + 3);

constexpr bool is_honor(int kind) { return kind >= kSuitedKinds; }
constexpr int suit_of(int kind) { return kind / 9; }        // 0 m, 1 p, 2 s, 3 honours
constexpr int number_of(int kind) { return kind % 9 + 1; }  // 1..9, suited kinds
constexpr bool is_terminal_or_honor(int kind) {
  return is_honor(kind) || kind % 9 == 0 || kind % 9 == 8;
}

constexpr bool is_wind(int kind) { return kind >= kEast && kind < kWhite; }
constexpr bool is_dragon(int kind) { return kind >= kWhite; }
constexpr bool is_five(int kind) { return !is_honor(kind) && number_of(kind) == 5; }

// How many tiles of each kind.
using KindCounts = std::array<uint8_t, kKinds>;

// A set of kinds: bit i is kind i.
using KindMask = uint64_t;

// A set of tiles: bit i is the tile of index i.
using TileMask = uint64_t;

constexpr TileMask mask_of(Tile tile) { return TileMask{1} << tile.index(); }
TileMask without_kinds(TileMask tiles, KindMask kinds);
constexpr int count(TileMask mask) { return std::popcount(mask); }

// The kind that an indicator makes dora. With three players 1m is followed by 9m.
int dora_kind(int indicator_kind, int players);

// mjai: "1m" .. "9s", "E" "S" "W" "N" "P" "F" "C", "5mr" "5pr" "5sr".
std::string_view mjai_name(Tile tile);
Tile tile_from_mjai(std::string_view name);  // fails on any other name

// tenhou.net/6: 11..19 m, 21..29 p, 31..39 s, 41..47 honours, 51 52 53 red fives.
int tenhou_code(Tile tile);
Tile tile_from_tenhou_code(int64_t code);  // fails on any other number

// mjlog: 0..135, four ids a kind; ids 16, 52 and 88 are red where the game has red fives.
Tile tile_from_tenhou_id(int64_t id, bool red_fives);  // fails on any other number

// "1m" .. "9s", "1z" .. "7z", "0m" "0p" "0s".
std::string_view short_name(Tile tile);

// Shorthand for a group of tiles: "123m0p11z". Digits take the letter that follows them.
std::string notation(std::span<const Tile> tiles);
std::vector<Tile> tiles_from_notation(std::string_view text);  // fails on anything else

}  // namespace ippatsu::mahjong
