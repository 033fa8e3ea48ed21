#pragma once

// The state of one table while a game is played or replayed, and the rules of what may happen next.
//
// apply() takes one event, checks that it is possible and updates the state; an impossible event
// fails with the reason. legal() says at each point what every seat may choose: a game that is
// played (game.h) and a record that is replayed both stand on these two.
//
// A table may also be followed from one seat. What others hold is hidden then: the tiles that
// events name for their hands and draws count for nothing, their choices are taken on trust where
// only the hidden tiles could refute them, and legal() knows what that one seat may choose.
//
// The state needs no heap and is copied as it is.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/fixed_vector.h"
#include "mahjong/action.h"
#include "mahjong/event.h"
#include "mahjong/hand.h"
#include "mahjong/winning_hand.h"

namespace ippatsu::mahjong {

// A discard in front of its seat. `order` counts all discards of the round from 0.
struct Discarded {
  Tile tile;
  uint8_t order = 0;
  bool tsumogiri : 1 = false;
  bool declares_riichi : 1 = false;
  bool called_away : 1 = false;

  friend bool operator==(const Discarded&, const Discarded&) = default;
};

// More than a seat can make: 70 draws, of which others' calls leave it at most 24, and its own
// calls.
inline constexpr size_t kMostDiscards = 32;

enum class Riichi : uint8_t { None, Declared, Accepted };

// What lies before one seat. Everything up to `missed` is open to all but `concealed` and `drawn`.
struct SeatState {
  Concealed concealed;
  std::optional<Tile> drawn;  // the tile just drawn, until the discard
  Melds melds;
  FixedVector<Discarded, kMostDiscards> discards;
  KindMask discarded_kinds = 0;
  Riichi riichi = Riichi::None;
  bool double_riichi = false;
  bool ippatsu = false;
  uint8_t riichi_order = 0;  // order of the declaring discard, once declared
  uint8_t kitas = 0;
  std::optional<Seat> liable;     // whose discard made the third dragon or fourth wind meld (pao)
  bool missed = false;            // a tile it waits for went by: furiten until it discards
  bool missed_in_riichi = false;  // ... until the end of the round
  int8_t shanten = 0;             // of the concealed tiles without the drawn one
  KindMask waits = 0;             // what completes those

  bool closed() const;                 // no open meld
  const Meld* pon_of(int kind) const;  // null where there is none
  bool furiten() const { return missed || missed_in_riichi || (waits & discarded_kinds) != 0; }

  friend bool operator==(const SeatState&, const SeatState&) = default;
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

// How a round begins, as far as the rules say.
struct NextRound {
  Wind round_wind;
  uint8_t number;  // 1..4
  int honba;
  Seat dealer;

  friend bool operator==(const NextRound&, const NextRound&) = default;
};

class Table {
 public:
  Table() = default;

  // As this seat sees it. Who is tenpai, what a draw pays and which round follows cannot be asked.
  static Table seen_by(Seat viewer);

  // Fails where the event is impossible; the table is then of no further use.
  void apply(const Event& event);

  void apply(const StartGame& event);
  void apply(const StartRound& event);
  void apply(const Draw& event);
  void apply(const Discard& event);
  void apply(const Call& event);
  void apply(const ClosedKan& event);
  void apply(const AddedKan& event);
  void apply(const Kita& event);
  void apply(const Dora& event);
  void apply(const RiichiDeclared& event);
  void apply(const RiichiAccepted& event);
  void apply(const Win& event);
  void apply(const RoundDraw& event);
  void apply(const EndRound& event);
  void apply(const EndGame& event);

  // Fails with the reason where this choice is impossible now.
  void check(const Discard& event) const;
  void check(const Call& event) const;
  void check(const ClosedKan& event) const;
  void check(const AddedKan& event) const;
  void check(const Kita& event) const;
  void check(const RiichiDeclared& event) const;
  void check(const Win& event) const;

  // What the seat may choose now; empty where it is not asked. Only who is in turn is asked in the
  // phases Act, DiscardAfterCall and DiscardAfterRiichi; in Reaction and KanReaction all others who
  // could do something, who may then also pass.
  const ActionSet& legal(int seat) const { return legal_[seat]; }

  // What a choice makes happen, and the choice that a call was. The kan is an open one for a call,
  // a closed one where the seat holds four, and added to a pon otherwise.
  Discard discard_of(Seat seat, Action action) const;
  Call call_of(Seat seat, Action action) const;
  ClosedKan closed_kan_of(Seat seat, int kind) const;
  AddedKan added_kan_of(Seat seat, int kind) const;
  std::optional<Action> action_of(const Call& call) const;

  const RuleSet& rules() const { return rules_; }
  Phase phase() const { return phase_; }
  Seat turn() const { return turn_; }  // who draws, acts, or has just discarded
  const SeatState& seat(int seat) const { return seats_[seat]; }
  Wind round_wind() const { return round_wind_; }
  int number() const { return number_; }  // 1..4 within the round wind
  Seat dealer() const { return dealer_; }
  int honba() const { return honba_; }
  bool is_last_round() const;  // the last scheduled round of the game, or one after it
  const Scores& scores() const { return scores_; }
  int sticks() const { return sticks_; }          // on the table now
  int tiles_left() const { return tiles_left_; }  // to be drawn from the wall
  int kans() const { return kans_; }
  int discards() const { return discards_; }  // of all seats, this round
  const Indicators& dora_indicators() const { return dora_; }

  // Tiles of each kind that lie open to all: melds, discards, norths and dora indicators.
  const KindCounts& open_kinds() const { return open_kinds_; }
  TileMask open_reds() const { return open_reds_; }

  // The seat wind of a seat in this round.
  Wind wind_of(int seat) const;

  // What the seat in turn may discard now; the same as in legal(): in riichi only the drawn tile;
  // when declaring it only tiles that keep the hand tenpai; after a call not the tile taken (by
  // kind) nor, after chi, the other end of its run.
  TileMask legal_discards() const { return legal_[turn_].discards(); }

  // The tile that may be won on now: just drawn, just discarded, or of the kan just declared.
  std::optional<Tile> winning_tile() const;

  // The hand of `seat` with the winning tile, as it stands now. Only where there is such a tile.
  WinningHand winning_hand(int seat) const;

  // What a win now pays by the rules, with these ura indicators. Among the winners of one tile the
  // first to be applied collects honba and sticks. None where the hand has no yaku.
  std::optional<Scores> win_deltas(int seat, const Indicators& ura_indicators) const;

  // How the rules would end a round without a winner now, if at all.
  std::optional<DrawKind> due_draw() const;
  Scores draw_deltas(DrawKind kind) const;
  unsigned tenpai_seats() const;   // a bit a seat
  unsigned nagashi_seats() const;  // whose discards are all terminals and honours, none called

  // The round to follow, in phase BetweenRounds; none once the game is over.
  std::optional<NextRound> next_round() const;

  // The scores at the end of the game: sticks left on the table go to the first.
  Scores final_scores() const;

  friend bool operator==(const Table&, const Table&) = default;

 private:
  Seat next_seat(int seat) const { return static_cast<Seat>((seat + 1) % rules_.players); }
  bool in_round() const { return phase_ >= Phase::Draw && phase_ <= Phase::KanReaction; }
  bool called_backwards(int seat) const;
  bool hides(int seat) const { return viewer_ && *viewer_ != seat; }  // what the seat holds
  bool first_turn(int seat) const { return !interrupted_ && seats_[seat].discards.empty(); }

  void require_seat(int seat) const;
  void require_turn(int seat, std::string_view action) const;
  void require_own_turn_after_draw(int seat, std::string_view action) const;
  void require_replacement_tile(int seat) const;
  void require_kans_left(int seat) const;
  void require_room_for_set(int seat) const;
  bool is_offered(const Call& event) const;

  void deal(const StartRound& event);
  void take_from_wall(Tile tile);  // counts a tile that no one had seen
  void lie_open(Tile tile);
  void show(int seat, Tile tile);  // from the hand, for all to see
  void add_points(const std::optional<Scores>& deltas);
  void interrupt_first_turns();
  void begin_kan(std::optional<Tile> robbable);
  void await_robbing(std::optional<Tile> robbable, bool kan);
  void note_liability(const Call& event);
  void let_pass();  // nobody else wins on the tile that lies there
  void update_waits(SeatState& seat);

  // What may be chosen, by phase (table_choices.cpp).
  void forget_choices() { legal_ = {}; }
  void offer_own_turn();
  void offer_discards(TileMask tiles);
  void offer_reactions();
  void offer_robbing();
  void offer_further_wins();
  void offer_kans(const SeatState& seat, ActionSet& actions) const;
  void offer_calls(int seat, Tile tile, ActionSet& actions) const;
  bool claimable_by(int seat, Tile tile) const;
  bool may_win(int seat) const;
  bool may_declare_riichi() const;
  bool keeps_waits(const SeatState& seat, int kan_kind) const;
  bool nine_terminals() const;
  TileMask keeping_tenpai(const SeatState& seat) const;

  // How it ends (table_results.cpp).
  Wind last_wind() const;  // with scheduled rounds
  bool was_aborted() const;
  bool dealer_stays() const;
  bool is_over() const;
  bool may_be_drawn(DrawKind kind) const;
  bool four_winds() const;
  bool four_riichi() const;
  bool four_kans() const;

  std::optional<Seat> viewer_;  // none: all hands are known
  RuleSet rules_;
  Phase phase_ = Phase::NoGame;
  Seat turn_ = 0;
  std::array<SeatState, kSeats> seats_;
  std::array<ActionSet, kSeats> legal_;

  Wind round_wind_ = Wind::East;
  uint8_t number_ = 1;
  Seat dealer_ = 0;
  int honba_ = 0;
  int sticks_ = 0;
  Scores scores_{};
  bool scores_known_ = false;  // false until a round tells them, and after an end without deltas

  uint8_t tiles_left_ = 0;
  uint8_t kans_ = 0;
  uint8_t discards_ = 0;
  bool interrupted_ = false;      // a call, kan or north ended the uninterrupted first turns
  bool replacement_ = false;      // the last tile drawn came from the dead wall
  bool closed_kan_ = false;       // the last kan declared is a closed one
  bool robbing_ = false;          // the tile to be won on is a kan's
  uint8_t winners_ = 0;           // a bit a seat
  std::optional<Tile> robbable_;  // the tile of the kan or north just declared
  std::optional<DrawKind> drawn_by_;
  Tile won_tile_;                // phase Won
  TileMask keeping_tenpai_ = 0;  // phase Act: what may be discarded with riichi
  Indicators dora_;
  KindCounts dealt_kinds_{};  // tiles known to anyone: hands, draws, indicators
  std::array<uint8_t, 3> dealt_reds_{};
  KindCounts open_kinds_{};
  TileMask open_reds_ = 0;
};

// A seat that has a choice, and the table around it. Whoever reads it for a player must look only
// at that seat's concealed tiles.
struct DecisionView {
  const Table* table;
  Seat seat;

  const ActionSet& legal() const { return table->legal(seat); }
  const SeatState& self() const { return table->seat(seat); }
};

}  // namespace ippatsu::mahjong
