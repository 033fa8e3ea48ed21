#include "mahjong/table.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <variant>

#include "base/error.h"
#include "mahjong/payment.h"
#include "mahjong/shanten.h"

namespace ippatsu::mahjong {

namespace {

constexpr int kMostPoints = 100'000'000;

// Tiles to be drawn once the hands are dealt: all but fourteen of the dead wall.
constexpr int wall_tiles(int players) { return players == 3 ? 108 - 14 - 39 : 136 - 14 - 52; }

bool exists(int kind, int players) { return players == 4 || kind == 0 || kind >= 8; }

Meld meld_of(const Call& call) {
  constexpr std::array kKinds = {MeldKind::Chi, MeldKind::Pon, MeldKind::OpenKan};
  return {.kind = kKinds[static_cast<size_t>(call.kind)],
          .from = call.from,
          .called = call.called,
          .size = static_cast<uint8_t>(1 + call.own_count()),
          .all = {call.called, call.own[0], call.own[1], call.own[2]}};
}

// The kinds that may not be discarded right after the call (swap calling).
KindMask swapped_kinds(const Call& call) {
  const int called = call.called.kind();
  KindMask mask = KindMask{1} << called;
  if (call.kind != CallKind::Chi) return mask;
  const auto [low, high] = std::minmax({call.own[0].kind(), call.own[1].kind()});
  if (called < low && number_of(high) < 9) mask |= KindMask{1} << (high + 1);
  if (called > high && number_of(low) > 1) mask |= KindMask{1} << (low - 1);
  return mask;
}

}  // namespace

bool SeatState::closed() const {
  return std::ranges::all_of(melds,
                             [](const Meld& meld) { return meld.kind == MeldKind::ClosedKan; });
}

const Meld* SeatState::pon_of(int kind) const {
  const auto* pon = std::ranges::find_if(melds, [&](const Meld& meld) {
    return meld.kind == MeldKind::Pon && meld.called.kind() == kind;
  });
  return pon == melds.end() ? nullptr : pon;
}

Table Table::seen_by(Seat viewer) {
  Table table;
  table.viewer_ = viewer;
  return table;
}

void Table::apply(const Event& event) {
  std::visit([this](const auto& e) { apply(e); }, event);
}

Wind Table::wind_of(int seat) const {
  return static_cast<Wind>((seat - dealer_ + rules_.players) % rules_.players);
}

void Table::take_from_wall(Tile tile) {
  const int kind = tile.kind();
  if (!exists(kind, rules_.players)) fail("there is no {} with three players", short_name(tile));
  if (++dealt_kinds_[kind] > kCopies) fail("a fifth {} turns up", short_name(tile));
  if (!tile.red()) return;
  const int most = rules_.red_fives ? 1 : 0;
  if (++dealt_reds_[suit_of(kind)] > most)
    fail("more red fives {} turn up than the {} in the game", short_name(tile), most);
}

void Table::lie_open(Tile tile) {
  ++open_kinds_[tile.kind()];
  if (tile.red()) open_reds_ |= mask_of(tile);
}

// A hidden tile turns up only now.
void Table::show(int seat, Tile tile) {
  if (hides(seat))
    take_from_wall(tile);
  else
    seats_[seat].concealed.remove(tile);
  lie_open(tile);
}

void Table::add_points(const std::optional<Scores>& deltas) {
  scores_known_ = scores_known_ && deltas.has_value();
  if (!deltas) return;
  for (int seat = 0; seat < kSeats; ++seat) {
    const int64_t points = int64_t{scores_[seat]} + (*deltas)[seat];
    if (std::abs(points) > kMostPoints) fail("seat {} gets to {} points", seat, points);
    scores_[seat] = static_cast<int32_t>(points);
  }
}

void Table::interrupt_first_turns() {
  interrupted_ = true;
  for (SeatState& seat : seats_) seat.ippatsu = false;
}

void Table::update_waits(SeatState& seat) {
  if (seat.concealed.size() == 0) return;  // hidden: no hand is ever empty
  const auto melds = static_cast<int>(seat.melds.size());
  seat.shanten = static_cast<int8_t>(shanten(seat.concealed.kinds(), melds));
  seat.waits = seat.shanten == 0 ? mahjong::waits(seat.concealed.kinds()) : 0;
}

// Whoever waits for the tile that lies there, and does not win on it, is furiten.
void Table::let_pass() {
  const std::optional<Tile> tile = winning_tile();
  if (!tile) return;
  for (int number = 0; number < rules_.players; ++number) {
    SeatState& seat = seats_[number];
    if (number == turn_ || !claimable_by(number, *tile)) continue;
    (seat.riichi == Riichi::Accepted ? seat.missed_in_riichi : seat.missed) = true;
  }
}

void Table::apply(const StartGame& event) {
  if (phase_ != Phase::NoGame) fail("a game begins before the last one ended");
  if (event.rules.players != 3 && event.rules.players != 4)
    fail("a game of {} players (3 or 4 are possible)", event.rules.players);
  *this = viewer_ ? seen_by(*viewer_) : Table();
  rules_ = event.rules;
  phase_ = Phase::BetweenRounds;
}

void Table::apply(const StartRound& event) {
  if (phase_ != Phase::BetweenRounds) fail("a round begins in the middle of another or of no game");
  require_seat(event.dealer);
  if (event.number != event.dealer + 1)
    fail("seat {} deals round {} of its wind", event.dealer, event.number);
  if (event.honba < 0 || event.sticks < 0)
    fail("a round begins with {} honba and {} sticks", event.honba, event.sticks);
  if (scores_known_ && (event.scores != scores_ || event.sticks != sticks_))
    fail("the round begins with {} {} {} {} points and {} sticks, but {} {} {} {} and {} were left",
         event.scores[0], event.scores[1], event.scores[2], event.scores[3], event.sticks,
         scores_[0], scores_[1], scores_[2], scores_[3], sticks_);
  deal(event);
}

void Table::deal(const StartRound& event) {
  round_wind_ = event.round_wind;
  number_ = static_cast<uint8_t>(event.number);
  dealer_ = turn_ = event.dealer;
  honba_ = event.honba;
  sticks_ = event.sticks;
  scores_ = event.scores;
  scores_known_ = true;
  phase_ = Phase::Draw;
  tiles_left_ = static_cast<uint8_t>(wall_tiles(rules_.players));
  kans_ = discards_ = winners_ = 0;
  interrupted_ = replacement_ = robbing_ = closed_kan_ = false;
  drawn_by_.reset();
  dora_ = {event.dora_indicator};
  dealt_kinds_ = open_kinds_ = {};
  dealt_reds_ = {};
  open_reds_ = 0;
  take_from_wall(event.dora_indicator);
  lie_open(event.dora_indicator);
  seats_ = {};
  for (int number = 0; number < rules_.players; ++number) {
    if (hides(number)) continue;
    SeatState& seat = seats_[number];
    for (const Tile tile : event.hands[number]) {
      take_from_wall(tile);
      seat.concealed.add(tile);
    }
    update_waits(seat);
  }
}

void Table::apply(const Draw& event) {
  const bool passes = phase_ == Phase::Reaction;
  const Seat drawer = passes ? next_seat(turn_) : turn_;
  require_seat(event.seat);
  if (!passes && phase_ != Phase::Draw && phase_ != Phase::KanReaction)
    fail("seat {} draws {} where no draw is due", event.seat, short_name(event.tile));
  if (event.seat != drawer) fail("seat {} draws in the turn of seat {}", event.seat, drawer);
  if (passes && seats_[turn_].riichi == Riichi::Declared)
    fail("the riichi of seat {} was neither accepted nor won on", turn_);
  if (tiles_left_ == 0) fail("seat {} draws, but no tile is left", event.seat);
  let_pass();
  replacement_ = phase_ == Phase::KanReaction;
  if (replacement_) interrupt_first_turns();
  robbing_ = false;
  --tiles_left_;
  turn_ = drawer;
  phase_ = Phase::Act;
  if (!hides(turn_)) {
    take_from_wall(event.tile);
    seats_[turn_].concealed.add(event.tile);
    seats_[turn_].drawn = event.tile;
  }
  offer_own_turn();
}

void Table::apply(const Discard& event) {
  check(event);
  SeatState& seat = seats_[event.seat];
  const bool declares = phase_ == Phase::DiscardAfterRiichi;
  if (declares) seat.riichi_order = discards_;
  if (!called_backwards(event.seat)) seat.missed = false;
  seat.ippatsu = false;
  show(event.seat, event.tile);
  seat.drawn.reset();
  if (seat.discards.full()) fail("seat {} discards more often than a round allows", event.seat);
  seat.discards.push_back({.tile = event.tile,
                           .order = discards_,
                           .tsumogiri = event.tsumogiri,
                           .declares_riichi = declares,
                           .called_away = false});
  seat.discarded_kinds |= KindMask{1} << event.tile.kind();
  // In riichi the tile drawn goes, and the waits stay.
  if (seat.riichi != Riichi::Accepted) update_waits(seat);
  ++discards_;
  phase_ = Phase::Reaction;
  offer_reactions();
}

// Discarding ends the furiten of a tile let go, but not where a call from the next seat turned the
// order of play back (Tenhou's manual).
bool Table::called_backwards(int seat) const {
  return phase_ == Phase::DiscardAfterCall && seats_[seat].melds.back().from == next_seat(seat);
}

void Table::apply(const Call& event) {
  check(event);
  let_pass();
  SeatState& seat = seats_[event.seat];
  seats_[turn_].discards.back().called_away = true;
  for (const Tile tile : std::span(event.own.data(), event.own_count())) show(event.seat, tile);
  seat.melds.push_back(meld_of(event));
  note_liability(event);
  interrupt_first_turns();
  turn_ = event.seat;
  if (event.kind == CallKind::OpenKan) return begin_kan(std::nullopt);
  phase_ = Phase::DiscardAfterCall;
  const TileMask distinct = seat.concealed.distinct();
  offer_discards(rules_.swap_calling ? distinct : without_kinds(distinct, swapped_kinds(event)));
}

// The third meld of dragons and the fourth of winds make whoever fed it liable.
void Table::note_liability(const Call& event) {
  const int kind = event.called.kind();
  if (!rules_.pao || !is_honor(kind)) return;
  SeatState& seat = seats_[event.seat];
  const bool dragon = is_dragon(kind);
  const auto alike = std::ranges::count_if(seat.melds, [&](const Meld& meld) {
    return is_honor(meld.called.kind()) && is_dragon(meld.called.kind()) == dragon;
  });
  if (alike == (dragon ? 3 : 4)) seat.liable = event.from;
}

void Table::begin_kan(std::optional<Tile> robbable) {
  ++kans_;
  await_robbing(robbable, true);
}

// Whoever waits for the tile may take it before its owner draws on.
void Table::await_robbing(std::optional<Tile> robbable, bool kan) {
  robbable_ = robbable;
  robbing_ = kan;
  phase_ = Phase::KanReaction;
  update_waits(seats_[turn_]);
  offer_robbing();
}

void Table::apply(const ClosedKan& event) {
  check(event);
  SeatState& seat = seats_[event.seat];
  for (const Tile tile : event.tiles) show(event.seat, tile);
  seat.melds.push_back({.kind = MeldKind::ClosedKan,
                        .from = event.seat,
                        .called = event.tiles[0],
                        .size = 4,
                        .all = event.tiles});
  seat.drawn.reset();
  closed_kan_ = true;
  begin_kan(rules_.closed_kan_orphans_ron ? std::optional(event.tiles[0]) : std::nullopt);
}

void Table::apply(const AddedKan& event) {
  check(event);
  SeatState& seat = seats_[event.seat];
  Meld& pon = seat.melds[static_cast<size_t>(seat.pon_of(event.added.kind()) - seat.melds.begin())];
  show(event.seat, event.added);
  pon.kind = MeldKind::AddedKan;
  pon.all[pon.size++] = event.added;
  seat.drawn.reset();
  closed_kan_ = false;
  begin_kan(event.added);
}

void Table::apply(const Kita& event) {
  check(event);
  SeatState& seat = seats_[event.seat];
  show(event.seat, kNorth);
  ++seat.kitas;
  seat.drawn.reset();
  closed_kan_ = false;
  await_robbing(kNorth, false);
}

void Table::apply(const Dora& event) {
  if (!in_round()) fail("a dora indicator is turned while no round is being played");
  if (static_cast<int>(dora_.size()) > kans_)
    fail("dora indicator {} is the {}th, after {} kans", short_name(event.indicator),
         dora_.size() + 1, kans_);
  take_from_wall(event.indicator);
  lie_open(event.indicator);
  dora_.push_back(event.indicator);
}

void Table::apply(const RiichiDeclared& event) {
  check(event);
  SeatState& seat = seats_[event.seat];
  seat.riichi = Riichi::Declared;
  seat.double_riichi = first_turn(event.seat);
  phase_ = Phase::DiscardAfterRiichi;
  offer_discards(keeping_tenpai_);
}

void Table::apply(const RiichiAccepted& event) {
  require_turn(event.seat, "pays for riichi");
  SeatState& seat = seats_[event.seat];
  if (phase_ != Phase::Reaction || seat.riichi != Riichi::Declared)
    fail("seat {} pays for a riichi that it has not just declared", event.seat);
  let_pass();
  for (ActionSet& actions : legal_) actions.remove(Action::win());
  seat.riichi = Riichi::Accepted;
  seat.ippatsu = true;
  scores_[event.seat] -= kStickPoints;
  ++sticks_;
}

void Table::apply(const Win& event) {
  check(event);
  won_tile_ = event.tile;
  winners_ |= static_cast<uint8_t>(1 << event.seat);
  add_points(event.deltas);
  sticks_ = 0;
  phase_ = Phase::Won;
  offer_further_wins();
}

void Table::apply(const RoundDraw& event) {
  if (!in_round()) fail("a round is drawn while none is being played");
  if (!may_be_drawn(event.kind))
    fail("the round is drawn by {}, which it is not", name_of(event.kind));
  add_points(event.deltas);
  drawn_by_ = event.kind;
  phase_ = Phase::Drawn;
  forget_choices();
}

void Table::apply(const EndRound&) {
  if (phase_ != Phase::Won && phase_ != Phase::Drawn)
    fail("a round ends without a winner or a draw");
  phase_ = Phase::BetweenRounds;
  forget_choices();
}

void Table::apply(const EndGame&) {
  if (phase_ != Phase::BetweenRounds) fail("the game ends in the middle of a round, or of no game");
  phase_ = Phase::NoGame;
}

}  // namespace ippatsu::mahjong
