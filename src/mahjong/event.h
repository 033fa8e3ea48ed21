#pragma once

// What happens at a table, as typed values.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/fixed_vector.h"
#include "mahjong/hand.h"
#include "mahjong/rules.h"
#include "mahjong/seat.h"
#include "mahjong/tile.h"
#include "mahjong/yaku.h"

namespace ippatsu::mahjong {

inline constexpr size_t kMostIndicators = 5;  // the first one and one for each of four kans

using Indicators = FixedVector<Tile, kMostIndicators>;

Indicators indicators_of(std::span<const Tile> tiles);  // fails where they are too many

struct StartGame {
  std::vector<std::string> names;  // by seat, UTF-8, one for each player
  RuleSet rules;
  std::string
      wall_seed;  // what all its walls follow from, as the source writes it; empty if unknown

  friend bool operator==(const StartGame&, const StartGame&) = default;
};

struct StartRound {
  Wind round_wind = Wind::East;
  int number = 1;  // 1..4 within the round wind
  int honba = 0;   // repeat counters on the table
  int sticks = 0;  // riichi sticks left on the table
  Seat dealer = 0;
  Tile dora_indicator;
  Scores scores{};
  std::array<Hand, kSeats> hands{};

  friend bool operator==(const StartRound&, const StartRound&) = default;
};

// A tile from the wall or, after a kan or a north, from the dead wall.
struct Draw {
  Seat seat;
  Tile tile;

  friend bool operator==(const Draw&, const Draw&) = default;
};

struct Discard {
  Seat seat;
  Tile tile;
  bool tsumogiri;  // the tile just drawn

  friend bool operator==(const Discard&, const Discard&) = default;
};

enum class CallKind : uint8_t { Chi, Pon, OpenKan };

// The last discard, taken from `from` with two (chi, pon) or three (open kan) tiles of one's own.
struct Call {
  Seat seat;
  Seat from;
  CallKind kind;
  Tile called;
  std::array<Tile, 3> own{};  // only two count, but for an open kan

  int own_count() const { return kind == CallKind::OpenKan ? 3 : 2; }

  friend bool operator==(const Call&, const Call&) = default;
};

struct ClosedKan {
  Seat seat;
  std::array<Tile, 4> tiles;

  friend bool operator==(const ClosedKan&, const ClosedKan&) = default;
};

// The fourth tile laid onto a pon; it may be robbed.
struct AddedKan {
  Seat seat;
  Tile added;

  friend bool operator==(const AddedKan&, const AddedKan&) = default;
};

// Three players: a north set aside as dora.
struct Kita {
  Seat seat;

  friend bool operator==(const Kita&, const Kita&) = default;
};

// A further dora indicator is turned.
struct Dora {
  Tile indicator;

  friend bool operator==(const Dora&, const Dora&) = default;
};

struct RiichiDeclared {
  Seat seat;

  friend bool operator==(const RiichiDeclared&, const RiichiDeclared&) = default;
};

// The declaring discard was not ronned: the stick is paid.
struct RiichiAccepted {
  Seat seat;

  friend bool operator==(const RiichiAccepted&, const RiichiAccepted&) = default;
};

// What a source says that a win is worth; as much of it as it says.
struct StatedValue {
  YakuList yaku;
  std::optional<int> han;
  std::optional<int> fu;
  std::optional<int> points;  // of the hand, without honba and sticks

  friend bool operator==(const StatedValue&, const StatedValue&) = default;
};

// One winner; a double or triple ron is two or three of these in a row, nearest to the loser first.
struct Win {
  Seat seat;
  Seat from;  // the loser; the winner itself for tsumo
  Tile tile;
  Indicators ura_indicators;     // as far as the source tells them
  std::optional<Scores> deltas;  // sticks and honba included; not the winner's own riichi stick
  std::optional<Seat> liable;    // who pays for a big meld (pao), where the source says so
  StatedValue stated = {};

  friend bool operator==(const Win&, const Win&) = default;
};

enum class DrawKind : uint8_t {
  Unspecified,  // the source gives no reason
  Exhaustive,
  NagashiMangan,
  NineTerminals,
  FourWinds,
  FourRiichi,
  FourKans,
  TripleRon
};

std::string_view name_of(DrawKind kind);  // "nine terminals and honours" ...

struct RoundDraw {
  DrawKind kind;
  std::optional<Scores> deltas;

  friend bool operator==(const RoundDraw&, const RoundDraw&) = default;
};

struct EndRound {
  friend bool operator==(const EndRound&, const EndRound&) = default;
};

struct EndGame {
  std::optional<Scores> scores;  // as the source states them: left-over sticks included

  friend bool operator==(const EndGame&, const EndGame&) = default;
};

using Event = std::variant<StartGame, StartRound, Draw, Discard, Call, ClosedKan, AddedKan, Kita,
                           Dora, RiichiDeclared, RiichiAccepted, Win, RoundDraw, EndRound, EndGame>;

}  // namespace ippatsu::mahjong
