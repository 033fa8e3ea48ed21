#pragma once

// The columns of a tenhou.net/6 log, and the order of turns that they leave open.
//
// Each seat has two columns: what it took (draws and calls) and what it put (discards, kans,
// norths), entry by entry. Which seat acted when must be found out.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "records/record.h"

namespace ippatsu::mahjong {

using Take = std::variant<Tile, Call>;

struct Thrown {
  std::optional<Tile> tile;  // none: the tile just drawn
  bool declares_riichi = false;
};

struct Nothing {};  // fills the line of an open kan, whose discard is on the next

using Put = std::variant<Thrown, ClosedKan, AddedKan, Kita, Nothing>;

struct Column {
  std::vector<Take> takes;
  std::vector<Put> puts;
};

using Columns = std::array<Column, kSeats>;

// One line of a column, in its place in the round. The last may have put nothing.
struct Turn {
  Seat seat;
  Take take;
  std::optional<Put> put;
};

// Entries: a tile's code, 60 for the tile drawn, 0 for nothing; or a text: "p414141" a call, its
// letter (c p m) standing where the source sits; "k" an added and "a" a closed kan; "r60" riichi;
// "f44" north.
Take take_of_code(int64_t code);
Take take_of_text(std::string_view text, Seat seat);
Put put_of_code(int64_t code);
Put put_of_text(std::string_view text, Seat seat);

// The other way: a call, and the kan that lays a fourth tile onto `pon`.
std::string text_of(const Call& call);
std::string text_of(const AddedKan& kan, const Call& pon);
std::string text_of(const ClosedKan& kan);
std::string text_of_riichi(const Discard& discard);

inline constexpr int kDrawnTile = 60;
inline constexpr int kNothing = 0;

// The tile that the turn's put refers to by 60. Fails after a call.
Tile drawn_in(const Turn& turn);

// An order of turns, the dealer's first, that uses every entry of all columns. Where several seats
// could go on, one that can call the discard does. Fails where there is none.
std::vector<Turn> turns(const Columns& columns, Seat dealer, int players);

}  // namespace ippatsu::mahjong
