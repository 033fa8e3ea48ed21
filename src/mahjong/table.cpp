#include "mahjong/table.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "base/error.h"
#include "mahjong/shanten.h"

namespace ippatsu::mahjong {

namespace {

constexpr int kStickPoints = 1000;
constexpr int kMostPoints = 100'000'000;
constexpr int kMostKans = 4;
constexpr int kTerminalsForAbort = 9;

// Tiles to be drawn once the hands are dealt: all but fourteen of the dead wall.
constexpr int wall_tiles(int players) { return players == 3 ? 108 - 14 - 39 : 136 - 14 - 52; }

bool exists(int kind, int players) { return players == 4 || kind == 0 || kind >= 8; }

// Do the called tile and the own ones form the set that the call names?
bool has_shape(const Call& call) {
  std::array<int, 4> kinds = {call.called.kind(), call.own[0].kind(), call.own[1].kind(),
                              call.own[2].kind()};
  const std::span<int> set(kinds.data(), 1 + call.own_count());
  if (call.kind != CallKind::Chi)
    return std::ranges::all_of(set, [&](int kind) { return kind == set[0]; });
  std::ranges::sort(set);
  return !is_honor(set[2]) && suit_of(set[0]) == suit_of(set[2]) && set[1] == set[0] + 1 &&
         set[2] == set[0] + 2;
}

std::string_view name(CallKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"chi", "pon", "an open kan"};
  return kNames[static_cast<size_t>(kind)];
}

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

TileMask without_kinds(TileMask tiles, KindMask kinds) {
  for (int action = 0; action < kTiles; ++action) {
    const Tile tile = Tile::of_index(action);
    if (kinds >> tile.kind() & 1) tiles &= ~mask_of(tile);
  }
  return tiles;
}

}  // namespace

bool SeatState::closed() const {
  return std::ranges::all_of(melds,
                             [](const Meld& meld) { return meld.kind == MeldKind::ClosedKan; });
}

KindCounts SeatState::owned_kinds() const {
  KindCounts owned = concealed.kinds();
  for (const Meld& meld : melds)
    for (const Tile tile : meld.tiles()) ++owned[tile.kind()];
  return owned;
}

void Table::apply(const Event& event) {
  std::visit([this](const auto& e) { on(e); }, event);
}

Wind Table::wind_of(int seat) const {
  return static_cast<Wind>((seat - round_.dealer + rules_.players) % rules_.players);
}

TileMask Table::legal_discards() const {
  const bool to_discard = phase_ == Phase::Act || phase_ == Phase::DiscardAfterCall ||
                          phase_ == Phase::DiscardAfterRiichi;
  return to_discard ? allowed_ : 0;
}

bool Table::first_turn(int seat) const { return !interrupted_ && seats_[seat].discards.empty(); }

void Table::require_seat(int seat) const {
  if (seat < 0 || seat >= rules_.players)
    fail("there is no seat {} (seats are 0..{})", seat, rules_.players - 1);
}

void Table::require_turn(int seat, std::string_view action) const {
  require_seat(seat);
  if (!in_round()) fail("seat {} {}, but no round is being played", seat, action);
  if (seat != turn_) fail("seat {} {}, but it is the turn of seat {}", seat, action, turn_);
}

void Table::require_own_turn_after_draw(int seat, std::string_view action) const {
  require_turn(seat, action);
  if (phase_ != Phase::Act) fail("seat {} {}, but has not just drawn", seat, action);
}

// What a kan or a north needs: a tile to draw in its place.
void Table::require_replacement_tile(int seat) const {
  if (tiles_left_ == 0) fail("seat {} declares a kan or north, but no tile is left", seat);
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

void Table::on(const StartGame& event) {
  if (phase_ != Phase::NoGame) fail("a game begins before the last one ended");
  if (event.rules.players != 3 && event.rules.players != 4)
    fail("a game of {} players (3 or 4 are possible)", event.rules.players);
  *this = Table();
  rules_ = event.rules;
  phase_ = Phase::BetweenRounds;
}

void Table::on(const StartRound& event) {
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
  round_ = event;
  turn_ = event.dealer;
  phase_ = Phase::Draw;
  scores_ = event.scores;
  scores_known_ = true;
  sticks_ = event.sticks;
  tiles_left_ = wall_tiles(rules_.players);
  kans_ = discards_ = winners_ = 0;
  interrupted_ = false;
  dora_.assign(1, event.dora_indicator);
  dealt_kinds_ = open_kinds_ = {};
  dealt_reds_ = {};
  open_reds_ = 0;
  take_from_wall(event.dora_indicator);
  lie_open(event.dora_indicator);
  seats_ = {};
  for (int seat = 0; seat < rules_.players; ++seat)
    for (const Tile tile : event.hands[seat]) {
      take_from_wall(tile);
      seats_[seat].concealed.add(tile);
    }
}

void Table::on(const Draw& event) {
  const bool passes = phase_ == Phase::Reaction;
  const Seat drawer = passes ? next_seat(turn_) : turn_;
  require_seat(event.seat);
  if (!passes && phase_ != Phase::Draw && phase_ != Phase::KanReaction)
    fail("seat {} draws {} where no draw is due", event.seat, short_name(event.tile));
  if (event.seat != drawer) fail("seat {} draws in the turn of seat {}", event.seat, drawer);
  if (passes && seats_[turn_].riichi == Riichi::Declared)
    fail("the riichi of seat {} was neither accepted nor won on", turn_);
  if (tiles_left_ == 0) fail("seat {} draws, but no tile is left", event.seat);
  if (phase_ == Phase::KanReaction) interrupt_first_turns();
  take_from_wall(event.tile);
  --tiles_left_;
  turn_ = drawer;
  phase_ = Phase::Act;
  SeatState& seat = seats_[turn_];
  seat.concealed.add(event.tile);
  seat.drawn = event.tile;
  allowed_ = seat.riichi == Riichi::Accepted ? mask_of(event.tile) : seat.concealed.distinct();
}

void Table::check(const Discard& event) const {
  require_turn(event.seat, "discards");
  const SeatState& seat = seats_[event.seat];
  const std::string_view tile = short_name(event.tile);
  if (phase_ == Phase::Draw || phase_ == Phase::Reaction || phase_ == Phase::KanReaction)
    fail("seat {} discards {} without having drawn or called", event.seat, tile);
  const int held = seat.concealed.count(event.tile);
  if (held == 0)
    fail("seat {} discards {}, which is not in its hand {}", event.seat, tile,
         notation(seat.concealed));
  if (!(allowed_ & mask_of(event.tile)))
    fail("seat {} may not discard {} ({})", event.seat, tile,
         phase_ == Phase::DiscardAfterRiichi
             ? "it has declared riichi, and the hand is not tenpai then"
         : phase_ == Phase::DiscardAfterCall ? "the call took it or the other end of its run"
                                             : "in riichi only the drawn tile may go");
  const bool is_drawn = seat.drawn == event.tile;
  if (event.tsumogiri && !is_drawn)
    fail("seat {} discards {} as the tile drawn, which it is not", event.seat, tile);
  if (!event.tsumogiri && is_drawn && held == 1)
    fail("seat {} discards {} from its hand, but it is the tile drawn", event.seat, tile);
}

void Table::on(const Discard& event) {
  check(event);
  SeatState& seat = seats_[event.seat];
  const bool declares = phase_ == Phase::DiscardAfterRiichi;
  if (declares) seat.riichi_order = discards_;
  seat.ippatsu = false;
  seat.concealed.remove(event.tile);
  seat.drawn.reset();
  seat.discards.push_back({.tile = event.tile,
                           .order = static_cast<uint8_t>(discards_),
                           .tsumogiri = event.tsumogiri,
                           .declares_riichi = declares});
  lie_open(event.tile);
  ++discards_;
  phase_ = Phase::Reaction;
}

void Table::require_caller(const Call& event) const {
  require_seat(event.seat);
  if (phase_ != Phase::Reaction || event.from != turn_ || event.seat == turn_)
    fail("seat {} calls {} from seat {}, who has not just discarded", event.seat, name(event.kind),
         event.from);
  const SeatState& from = seats_[turn_];
  if (from.discards.back().tile != event.called)
    fail("seat {} calls {}, but seat {} discarded {}", event.seat, short_name(event.called), turn_,
         short_name(from.discards.back().tile));
  if (from.riichi == Riichi::Declared)
    fail("seat {} calls before the riichi of seat {} is accepted", event.seat, turn_);
  if (seats_[event.seat].riichi != Riichi::None) fail("seat {} calls in riichi", event.seat);
  if (tiles_left_ == 0) fail("seat {} calls the last discard", event.seat);
  if (event.kind == CallKind::Chi && (event.seat != next_seat(turn_) || rules_.players == 3))
    fail("seat {} calls chi from seat {}: only the next of four players may", event.seat, turn_);
}

TileMask Table::allowed_after(const Call& event) const {
  const TileMask distinct = seats_[event.seat].concealed.distinct();
  return rules_.swap_calling ? distinct : without_kinds(distinct, swapped_kinds(event));
}

void Table::on(const Call& event) {
  require_caller(event);
  const std::span<const Tile> own(event.own.data(), event.own_count());
  if (!has_shape(event))
    fail("seat {}: {} with {} is not {}", event.seat, short_name(event.called), notation(own),
         name(event.kind));
  SeatState& seat = seats_[event.seat];
  if (!seat.concealed.holds(own))
    fail("seat {} calls {} with {}, but holds {}", event.seat, short_name(event.called),
         notation(own), notation(seat.concealed));
  seats_[turn_].discards.back().called_away = true;
  for (const Tile tile : own) {
    seat.concealed.remove(tile);
    lie_open(tile);
  }
  seat.melds.push_back(meld_of(event));
  interrupt_first_turns();
  turn_ = event.seat;
  if (event.kind == CallKind::OpenKan) return begin_kan(turn_, std::nullopt);
  phase_ = Phase::DiscardAfterCall;
  allowed_ = allowed_after(event);
  if (allowed_ == 0)
    fail("seat {} calls {} and is left with no tile that it may discard", event.seat,
         short_name(event.called));
}

void Table::begin_kan(int seat, std::optional<Tile> robbable) {
  if (++kans_ > kMostKans) fail("seat {} declares a fifth kan", seat);
  robbable_ = robbable;
  phase_ = Phase::KanReaction;
}

// In riichi a closed kan must be of the drawn tile and leave the waits as they are.
void Table::require_same_waits(int seat_number, int kind) const {
  const SeatState& seat = seats_[seat_number];
  KindCounts before = seat.concealed.kinds();
  --before[seat.drawn->kind()];
  KindCounts after = seat.concealed.kinds();
  after[kind] = 0;
  const KindCounts owned_after = seat.owned_kinds();
  KindCounts owned_before = owned_after;
  --owned_before[seat.drawn->kind()];
  if (seat.drawn->kind() != kind || waits(before, owned_before) != waits(after, owned_after))
    fail("seat {} declares a kan of {} that its riichi forbids", seat_number,
         short_name(Tile::of_kind(kind)));
}

void Table::on(const ClosedKan& event) {
  require_own_turn_after_draw(event.seat, "declares a closed kan");
  require_replacement_tile(event.seat);
  SeatState& seat = seats_[event.seat];
  const int kind = event.tiles[0].kind();
  const bool alike =
      std::ranges::all_of(event.tiles, [&](Tile tile) { return tile.kind() == kind; });
  if (!alike || !seat.concealed.holds(event.tiles))
    fail("seat {} declares a closed kan of {}, but holds {}", event.seat, notation(event.tiles),
         notation(seat.concealed));
  if (seat.riichi == Riichi::Accepted) require_same_waits(event.seat, kind);
  for (const Tile tile : event.tiles) {
    seat.concealed.remove(tile);
    lie_open(tile);
  }
  seat.melds.push_back({.kind = MeldKind::ClosedKan,
                        .from = event.seat,
                        .called = event.tiles[0],
                        .size = 4,
                        .all = event.tiles});
  seat.drawn.reset();
  begin_kan(event.seat, event.tiles[0]);
}

void Table::on(const AddedKan& event) {
  require_own_turn_after_draw(event.seat, "adds to a pon");
  require_replacement_tile(event.seat);
  SeatState& seat = seats_[event.seat];
  const auto pon = std::ranges::find_if(seat.melds, [&](const Meld& meld) {
    return meld.kind == MeldKind::Pon && meld.called.kind() == event.added.kind();
  });
  if (pon == seat.melds.end() || seat.concealed.count(event.added) == 0)
    fail("seat {} adds {} to a pon, but has no such pon or tile", event.seat,
         short_name(event.added));
  seat.concealed.remove(event.added);
  lie_open(event.added);
  pon->kind = MeldKind::AddedKan;
  pon->all[pon->size++] = event.added;
  seat.drawn.reset();
  begin_kan(event.seat, event.added);
}

void Table::on(const Kita& event) {
  require_own_turn_after_draw(event.seat, "sets a north aside");
  require_replacement_tile(event.seat);
  SeatState& seat = seats_[event.seat];
  const Tile north = Tile::of_kind(kEast + static_cast<int>(Wind::North));
  if (rules_.players != 3 || seat.concealed.count(north) == 0)
    fail("seat {} sets a north aside, but {}", event.seat,
         rules_.players != 3 ? "only three players do that" : "holds none");
  if (seat.riichi == Riichi::Accepted && seat.drawn != north)
    fail("seat {} sets a north aside that it did not draw, in riichi", event.seat);
  seat.concealed.remove(north);
  lie_open(north);
  ++seat.kitas;
  seat.drawn.reset();
  robbable_ = north;
  phase_ = Phase::KanReaction;
}

void Table::on(const Dora& event) {
  if (!in_round()) fail("a dora indicator is turned while no round is being played");
  if (static_cast<int>(dora_.size()) > kans_)
    fail("dora indicator {} is the {}th, after {} kans", short_name(event.indicator),
         dora_.size() + 1, kans_);
  take_from_wall(event.indicator);
  lie_open(event.indicator);
  dora_.push_back(event.indicator);
}

TileMask Table::keeping_tenpai(const SeatState& seat) const {
  KindCounts kinds = seat.concealed.kinds();
  KindCounts owned = seat.owned_kinds();
  KindMask keeping = 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (kinds[kind] == 0) continue;
    --kinds[kind];
    --owned[kind];
    if (waits(kinds, owned) != 0) keeping |= KindMask{1} << kind;
    ++kinds[kind];
    ++owned[kind];
  }
  return without_kinds(seat.concealed.distinct(), ~keeping);
}

void Table::on(const RiichiDeclared& event) {
  require_own_turn_after_draw(event.seat, "declares riichi");
  SeatState& seat = seats_[event.seat];
  if (seat.riichi != Riichi::None) fail("seat {} declares riichi twice", event.seat);
  if (!seat.closed()) fail("seat {} declares riichi with an open hand", event.seat);
  if (scores_[event.seat] < kStickPoints)
    fail("seat {} declares riichi with {} points", event.seat, scores_[event.seat]);
  if (tiles_left_ < rules_.players)
    fail("seat {} declares riichi with {} tiles left", event.seat, tiles_left_);
  allowed_ = keeping_tenpai(seat);
  if (allowed_ == 0)
    fail("seat {} declares riichi, but no discard leaves {} tenpai", event.seat,
         notation(seat.concealed));
  seat.riichi = Riichi::Declared;
  seat.double_riichi = first_turn(event.seat);
  phase_ = Phase::DiscardAfterRiichi;
}

void Table::on(const RiichiAccepted& event) {
  require_turn(event.seat, "pays for riichi");
  SeatState& seat = seats_[event.seat];
  if (phase_ != Phase::Reaction || seat.riichi != Riichi::Declared)
    fail("seat {} pays for a riichi that it has not just declared", event.seat);
  seat.riichi = Riichi::Accepted;
  seat.ippatsu = true;
  scores_[event.seat] -= kStickPoints;
  ++sticks_;
}

// What may be won on now.
std::optional<Tile> Table::winning_tile() const {
  const SeatState& seat = seats_[turn_];
  if (phase_ == Phase::Act) return seat.drawn;
  if (phase_ == Phase::KanReaction) return robbable_;
  if (phase_ == Phase::Reaction) return seat.discards.back().tile;
  return std::nullopt;
}

void Table::on(const Win& event) {
  require_seat(event.seat);
  const bool tsumo = event.seat == event.from;
  if (phase_ != Phase::Won) {
    const std::optional<Tile> tile = winning_tile();
    if (event.from != turn_ || tsumo != (phase_ == Phase::Act) || tile != event.tile)
      fail("seat {} wins on {} of seat {}, which is not there to be won on", event.seat,
           short_name(event.tile), event.from);
    won_tile_ = event.tile;
  } else if (tsumo || event.from != turn_ || event.tile != won_tile_ ||
             winners_ >> event.from & 1) {
    fail("seat {} wins after another, but not on the same tile", event.seat);
  }
  if (winners_ >> event.seat & 1) fail("seat {} wins twice", event.seat);
  KindCounts kinds = seats_[event.seat].concealed.kinds();
  if (!tsumo) ++kinds[event.tile.kind()];
  if (!is_complete(kinds))
    fail("seat {} wins on {} with {}, which is not complete", event.seat, short_name(event.tile),
         notation(seats_[event.seat].concealed));
  winners_ |= static_cast<uint8_t>(1 << event.seat);
  add_points(event.deltas);
  sticks_ = 0;
  phase_ = Phase::Won;
}

bool Table::nine_terminals() const {
  int kinds = 0;
  for (int kind = 0; kind < kKinds; ++kind)
    kinds += is_terminal_or_honor(kind) && seats_[turn_].concealed.count_kind(kind) > 0;
  return phase_ == Phase::Act && first_turn(turn_) && kinds >= kTerminalsForAbort;
}

bool Table::four_winds() const {
  if (phase_ != Phase::Reaction || discards_ != kSeats || interrupted_) return false;
  const int kind = seats_[turn_].discards[0].tile.kind();
  const bool wind = kind >= kEast && kind <= kEast + static_cast<int>(Wind::North);
  return wind && std::ranges::all_of(seats_, [&](const SeatState& seat) {
           return !seat.discards.empty() && seat.discards[0].tile.kind() == kind;
         });
}

bool Table::four_riichi() const {
  return phase_ == Phase::Reaction && std::ranges::all_of(seats_, [](const SeatState& seat) {
           return seat.riichi == Riichi::Accepted;
         });
}

bool Table::may_be_drawn(DrawKind kind) const {
  const bool discarded = phase_ == Phase::Reaction;
  const bool reaction = discarded || phase_ == Phase::KanReaction;
  switch (kind) {
    case DrawKind::Unspecified:
      return reaction || phase_ == Phase::Act;
    case DrawKind::Exhaustive:
    case DrawKind::NagashiMangan:
      return discarded && tiles_left_ == 0;
    case DrawKind::NineTerminals:
      return nine_terminals();
    case DrawKind::FourWinds:
      return four_winds();
    case DrawKind::FourRiichi:
      return four_riichi();
    case DrawKind::FourKans:
      return reaction && kans_ == kMostKans;
    case DrawKind::TripleRon:
      return reaction && rules_.players == 4;
  }
  return false;
}

void Table::on(const RoundDraw& event) {
  if (!in_round()) fail("a round is drawn while none is being played");
  if (!may_be_drawn(event.kind))
    fail("the round is drawn by {}, which it is not", name_of(event.kind));
  add_points(event.deltas);
  phase_ = Phase::Drawn;
}

void Table::on(const EndRound&) {
  if (phase_ != Phase::Won && phase_ != Phase::Drawn)
    fail("a round ends without a winner or a draw");
  phase_ = Phase::BetweenRounds;
}

void Table::on(const EndGame&) {
  if (phase_ != Phase::BetweenRounds) fail("the game ends in the middle of a round, or of no game");
  phase_ = Phase::NoGame;
}

}  // namespace ippatsu::mahjong
