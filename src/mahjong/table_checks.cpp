// Why an event is impossible. What is possible is known from the choices offered
// (table_choices.cpp); these find the sentence for what is not among them.

#include <algorithm>

#include "base/error.h"
#include "mahjong/hand_value.h"
#include "mahjong/payment.h"
#include "mahjong/shanten.h"
#include "mahjong/table.h"

namespace ippatsu::mahjong {

namespace {

std::string_view name_of(CallKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"chi", "pon", "an open kan"};
  return kNames[static_cast<size_t>(kind)];
}

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

}  // namespace

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

void Table::require_kans_left(int seat) const {
  if (kans_ == kMostKans) fail("seat {} declares a fifth kan", seat);
}

// Tiles that are known would run out before.
void Table::require_room_for_set(int seat) const {
  if (seats_[seat].melds.full()) fail("seat {} lays out a fifth set", seat);
}

void Table::check(const Discard& event) const {
  require_turn(event.seat, "discards");
  const SeatState& seat = seats_[event.seat];
  const std::string_view tile = short_name(event.tile);
  if (phase_ == Phase::Draw || phase_ == Phase::Reaction || phase_ == Phase::KanReaction)
    fail("seat {} discards {} without having drawn or called", event.seat, tile);
  if (hides(event.seat)) return;
  const int held = seat.concealed.count(event.tile);
  if (held == 0)
    fail("seat {} discards {}, which is not in its hand {}", event.seat, tile,
         notation(seat.concealed));
  if (!legal_[event.seat].contains(Action::discard(event.tile)))
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

// Is it what one of the choices offered would be?
bool Table::is_offered(const Call& event) const {
  const std::optional<Action> action = action_of(event);
  if (!action || !legal_[event.seat].contains(*action)) return false;
  Call offered = call_of(event.seat, *action);
  Call named = event;
  const int own = event.own_count();
  std::sort(offered.own.begin(), offered.own.begin() + own);
  std::sort(named.own.begin(), named.own.begin() + own);
  return std::equal(offered.own.begin(), offered.own.begin() + own, named.own.begin());
}

void Table::check(const Call& event) const {
  require_seat(event.seat);
  if (phase_ != Phase::Reaction || event.from != turn_ || event.seat == turn_)
    fail("seat {} calls {} from seat {}, who has not just discarded", event.seat,
         name_of(event.kind), event.from);
  const SeatState& from = seats_[turn_];
  if (from.discards.back().tile != event.called)
    fail("seat {} calls {}, but seat {} discarded {}", event.seat, short_name(event.called), turn_,
         short_name(from.discards.back().tile));
  if (from.riichi == Riichi::Declared)
    fail("seat {} calls before the riichi of seat {} is accepted", event.seat, turn_);
  if (is_offered(event)) return;
  const SeatState& seat = seats_[event.seat];
  if (seat.riichi != Riichi::None) fail("seat {} calls in riichi", event.seat);
  if (const std::optional<DrawKind> draw = due_draw())
    fail("seat {} calls the last discard of a round that ends by {}", event.seat, name_of(*draw));
  if (event.kind == CallKind::Chi && (event.seat != next_seat(turn_) || rules_.players == 3))
    fail("seat {} calls chi from seat {}: only the next of four players may", event.seat, turn_);
  const std::span<const Tile> own(event.own.data(), event.own_count());
  if (!has_shape(event))
    fail("seat {}: {} with {} is not {}", event.seat, short_name(event.called), notation(own),
         name_of(event.kind));
  if (event.kind == CallKind::OpenKan) require_kans_left(event.seat);
  if (hides(event.seat)) return require_room_for_set(event.seat);
  if (!seat.concealed.holds(own))
    fail("seat {} calls {} with {}, but holds {}", event.seat, short_name(event.called),
         notation(own), notation(seat.concealed));
  fail("seat {} calls {} and is left with no tile that it may discard", event.seat,
       short_name(event.called));
}

void Table::check(const ClosedKan& event) const {
  require_own_turn_after_draw(event.seat, "declares a closed kan");
  const SeatState& seat = seats_[event.seat];
  const int kind = event.tiles[0].kind();
  const bool alike =
      std::ranges::all_of(event.tiles, [&](Tile tile) { return tile.kind() == kind; });
  if (!alike || (!hides(event.seat) && !seat.concealed.holds(event.tiles)))
    fail("seat {} declares a closed kan of {}, but holds {}", event.seat, notation(event.tiles),
         notation(seat.concealed));
  if (legal_[event.seat].contains(Action::kan(kind))) return;
  require_replacement_tile(event.seat);
  require_kans_left(event.seat);
  if (hides(event.seat)) return require_room_for_set(event.seat);
  fail("seat {} declares a kan of {} that its riichi forbids", event.seat,
       short_name(Tile::of_kind(kind)));
}

void Table::check(const AddedKan& event) const {
  require_own_turn_after_draw(event.seat, "adds to a pon");
  const SeatState& seat = seats_[event.seat];
  if (!seat.pon_of(event.added.kind()) ||
      (!hides(event.seat) && seat.concealed.count(event.added) == 0))
    fail("seat {} adds {} to a pon, but has no such pon or tile", event.seat,
         short_name(event.added));
  if (legal_[event.seat].contains(Action::kan(event.added.kind()))) return;
  require_replacement_tile(event.seat);
  require_kans_left(event.seat);
}

void Table::check(const Kita& event) const {
  require_own_turn_after_draw(event.seat, "sets a north aside");
  if (legal_[event.seat].contains(Action::north())) return;
  require_replacement_tile(event.seat);
  if (rules_.players == 3 && hides(event.seat)) return;
  if (rules_.players != 3 || seats_[event.seat].concealed.count(kNorth) == 0)
    fail("seat {} sets a north aside, but {}", event.seat,
         rules_.players != 3 ? "only three players do that" : "holds none");
  fail("seat {} sets a north aside that it did not draw, in riichi", event.seat);
}

void Table::check(const RiichiDeclared& event) const {
  require_own_turn_after_draw(event.seat, "declares riichi");
  if (legal_[event.seat].contains(Action::riichi())) return;
  const SeatState& seat = seats_[event.seat];
  if (seat.riichi != Riichi::None) fail("seat {} declares riichi twice", event.seat);
  if (!seat.closed()) fail("seat {} declares riichi with an open hand", event.seat);
  if (scores_[event.seat] < kStickPoints)
    fail("seat {} declares riichi with {} points", event.seat, scores_[event.seat]);
  if (tiles_left_ < rules_.players)
    fail("seat {} declares riichi with {} tiles left", event.seat, tiles_left_);
  if (hides(event.seat)) return;
  fail("seat {} declares riichi, but no discard leaves {} tenpai", event.seat,
       notation(seat.concealed));
}

void Table::check(const Win& event) const {
  require_seat(event.seat);
  const bool tsumo = event.seat == event.from;
  const bool further = phase_ == Phase::Won;
  if (winners_ >> event.seat & 1) fail("seat {} wins twice", event.seat);
  if (further &&
      (tsumo || event.from != turn_ || event.tile != won_tile_ || winners_ >> event.from & 1))
    fail("seat {} wins after another, but not on the same tile", event.seat);
  const bool unseen = tsumo && hides(event.seat);
  if (!further && (event.from != turn_ || tsumo != (phase_ == Phase::Act) ||
                   (!unseen && winning_tile() != event.tile)))
    fail("seat {} wins on {} of seat {}, which is not there to be won on", event.seat,
         short_name(event.tile), event.from);
  if (hides(event.seat) || legal_[event.seat].contains(Action::win())) return;
  const SeatState& seat = seats_[event.seat];
  KindCounts kinds = seat.concealed.kinds();
  if (!tsumo) ++kinds[event.tile.kind()];
  if (!is_complete(kinds))
    fail("seat {} wins on {} with {}, which is not complete", event.seat, short_name(event.tile),
         notation(seat.concealed));
  if (phase_ == Phase::KanReaction && closed_kan_)
    fail("seat {} robs a closed kan of {}", event.seat, short_name(event.tile));
  if (!tsumo && seat.furiten())
    fail("seat {} wins on {}, but is furiten", event.seat, short_name(event.tile));
  if (further && !has_yaku(winning_hand(event.seat), rules_))
    fail("seat {} wins as one winner too many", event.seat);
  if (seats_[turn_].riichi == Riichi::Accepted && seats_[turn_].discards.back().declares_riichi)
    fail("seat {} wins on {} after the riichi of seat {} was accepted", event.seat,
         short_name(event.tile), turn_);
  fail("seat {} wins on {} with {}, which has no yaku", event.seat, short_name(event.tile),
       notation(seat.concealed));
}

}  // namespace ippatsu::mahjong
