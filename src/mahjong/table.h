#pragma once

// The state of one table while a game is played or replayed, and the rules of what may happen next.
//
// apply() takes one event, checks that it is possible (right turn, tile in hand, four copies of
// each kind, legal calls, riichi conditions, tiles left ...) and updates the state; an impossible
// event fails with the reason. Points are taken from the events, not computed.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "mahjong/event.h"
namespace ippatsu::mahjong {

// A discard in front of its seat. `order` counts all discards of the round from 0.
struct Discarded {
  Tile tile;
  uint8_t order = 0;
  bool tsumogiri = false;
  bool declares_riichi = false;
  bool called_away = false;
};

enum class Riichi : uint8_t { None, Declared, Accepted };

// What lies before one seat. Everything but `concealed` and `drawn` is open to all.
struct SeatState {
  Concealed concealed;
  std::optional<Tile> drawn;  // the tile just drawn, until the discard
  Melds melds;
  std::vector<Discarded> discards;
  Riichi riichi = Riichi::None;
  bool double_riichi = false;
  bool ippatsu = false;
  int kitas = 0;
  int riichi_order = 0;  // order of the declaring discard, once declared

  bool closed() const;             // no open meld
  KindCounts owned_kinds() const;  // concealed and in melds
};

// What the table waits for.
enum class Phase : uint8_t {
  NoGame,
  BetweenRounds,
  Draw,  // the seat in turn draws from the wall
  Act,   // the seat in turn has drawn: discard, kan, riichi, tsumo
  DiscardAfterCall,
  DiscardAfterRiichi,
  Reaction,     // a discard lies open: ron, call, or the next seat's draw
  KanReaction,  // a kan or north was declared: ron, or its replacement draw
  Won,          // further winners on the same tile, or the end of the round
  Drawn         // the round ended without a winner
};

class Table {
 public:
  // Fails where the event is impossible; the table is then of no further use.
  void apply(const Event& event);

  const RuleSet& rules() const { return rules_; }
  Phase phase() const { return phase_; }
  Seat turn() const { return turn_; }  // who draws, acts, or has just discarded
  const SeatState& seat(int seat) const { return seats_[seat]; }
  const StartRound& round() const { return round_; }  // as it began
  const Scores& scores() const { return scores_; }    // now
  int honba() const { return round_.honba; }
  int sticks() const { return sticks_; }          // on the table now
  int tiles_left() const { return tiles_left_; }  // to be drawn from the wall
  int kans() const { return kans_; }
  int discards() const { return discards_; }  // of all seats, this round
  std::span<const Tile> dora_indicators() const { return {dora_.data(), dora_.size()}; }

  // Tiles of each kind that lie open to all: melds, discards, norths and dora indicators.
  const KindCounts& open_kinds() const { return open_kinds_; }
  TileMask open_reds() const { return open_reds_; }

  // The seat wind of a seat in this round.
  Wind wind_of(int seat) const;

  // What the seat in turn may discard now: phases Act, DiscardAfterCall, DiscardAfterRiichi; else
  // nothing. In riichi only the drawn tile; when declaring it only tiles that keep the hand tenpai;
  // after a call not the tile taken (by kind) nor, after chi, the other end of its run.
  TileMask legal_discards() const;

  // Fails where this discard is not possible now.
  void check(const Discard& event) const;

 private:
  void on(const StartGame& event);
  void on(const StartRound& event);
  void on(const Draw& event);
  void on(const Discard& event);
  void on(const Call& event);
  void on(const ClosedKan& event);
  void on(const AddedKan& event);
  void on(const Kita& event);
  void on(const Dora& event);
  void on(const RiichiDeclared& event);
  void on(const RiichiAccepted& event);
  void on(const Win& event);
  void on(const RoundDraw& event);
  void on(const EndRound& event);
  void on(const EndGame& event);

  Seat next_seat(int seat) const { return static_cast<Seat>((seat + 1) % rules_.players); }
  bool in_round() const { return phase_ >= Phase::Draw && phase_ <= Phase::KanReaction; }
  bool first_turn(int seat) const;

  void require_seat(int seat) const;
  void require_turn(int seat, std::string_view action) const;
  void require_own_turn_after_draw(int seat, std::string_view action) const;
  void require_replacement_tile(int seat) const;
  void require_caller(const Call& event) const;
  void require_same_waits(int seat, int kind) const;

  bool may_be_drawn(DrawKind kind) const;
  bool nine_terminals() const;
  bool four_winds() const;
  bool four_riichi() const;

  void deal(const StartRound& event);
  void take_from_wall(Tile tile);  // counts a tile that no one had seen
  void lie_open(Tile tile);
  void add_points(const std::optional<Scores>& deltas);
  void interrupt_first_turns();
  void begin_kan(int seat, std::optional<Tile> robbable);
  std::optional<Tile> winning_tile() const;
  TileMask keeping_tenpai(const SeatState& seat) const;
  TileMask allowed_after(const Call& event) const;

  RuleSet rules_;
  Phase phase_ = Phase::NoGame;
  Seat turn_ = 0;
  StartRound round_;
  std::array<SeatState, kSeats> seats_;
  Scores scores_{};
  bool scores_known_ = false;  // false until a round tells them, and after an end without deltas
  int sticks_ = 0;
  int tiles_left_ = 0;
  int kans_ = 0;
  int discards_ = 0;
  bool interrupted_ = false;      // a call, kan or north ended the uninterrupted first turns
  uint8_t winners_ = 0;           // a bit a seat
  TileMask allowed_ = 0;          // discards, while the seat in turn is to discard
  std::optional<Tile> robbable_;  // the tile of the kan or north just declared
  Tile won_tile_;                 // phase Won
  std::vector<Tile> dora_;
  KindCounts dealt_kinds_{};  // tiles known to anyone: hands, draws, indicators
  std::array<uint8_t, 3> dealt_reds_{};
  KindCounts open_kinds_{};
  TileMask open_reds_ = 0;
};

// A seat about to discard, and the table around it. Whoever reads it for a player must look only at
// that seat's concealed tiles.
struct DecisionView {
  const Table* table;
  Seat seat;
  TileMask legal;  // at least two tiles
};

}  // namespace ippatsu::mahjong
