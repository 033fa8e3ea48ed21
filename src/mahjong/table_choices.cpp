// What may be chosen, phase by phase.

#include <algorithm>
#include <bit>

#include "mahjong/hand_value.h"
#include "mahjong/payment.h"
#include "mahjong/shanten.h"
#include "mahjong/table.h"

namespace ippatsu::mahjong {

namespace {

constexpr int kTerminalsForAbort = 9;

// A run around the called tile: its two own kinds, and what may not go next, relative to that.
struct Run {
  RunPlace place;
  int low, high;
  int other_end;  // 0: the called tile stands between
};

constexpr std::array<Run, 3> kRuns = {
    {{RunPlace::Low, 1, 2, 3}, {RunPlace::Middle, -1, 1, 0}, {RunPlace::High, -2, -1, -3}}};

// Is there a kind at this distance in the called kind's suit?
bool in_suit(int kind, int distance) {
  const int number = number_of(kind) + distance;
  return number >= 1 && number <= 9;
}

int blacks(const Concealed& concealed, int kind) { return concealed.count(Tile::of_kind(kind)); }

bool has_red(const Concealed& concealed, int kind) {
  return concealed.count_kind(kind) > blacks(concealed, kind);
}

}  // namespace

// Does the seat wait for the tile, whether or not it may win on it?
bool Table::claimable_by(int number, Tile tile) const {
  const SeatState& seat = seats_[number];
  if (!(seat.waits >> tile.kind() & 1)) return false;
  return phase_ != Phase::KanReaction || !closed_kan_ ||
         thirteen_orphans_shanten(seat.concealed.kinds()) == 0;
}

bool Table::may_win(int number) const {
  const SeatState& seat = seats_[number];
  if (number == turn_ && phase_ == Phase::Act) {
    if (!(seat.waits >> seat.drawn->kind() & 1)) return false;
    return seat.closed() || has_yaku(winning_hand(number), rules_);
  }
  if (!claimable_by(number, *winning_tile()) || seat.furiten()) return false;
  return seat.riichi == Riichi::Accepted || has_yaku(winning_hand(number), rules_);
}

bool Table::nine_terminals() const {
  int kinds = 0;
  for (int kind = 0; kind < kKinds; ++kind)
    kinds += is_terminal_or_honor(kind) && seats_[turn_].concealed.count_kind(kind) > 0;
  return kinds >= kTerminalsForAbort;
}

// Discards that leave tenpai.
TileMask Table::keeping_tenpai(const SeatState& seat) const {
  KindCounts kinds = seat.concealed.kinds();
  KindMask losing = 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (kinds[kind] == 0) continue;
    --kinds[kind];
    if (waits(kinds) == 0) losing |= KindMask{1} << kind;
    ++kinds[kind];
  }
  return without_kinds(seat.concealed.distinct(), losing);
}

// In riichi a closed kan must be of the drawn tile and leave the waits as they are.
bool Table::keeps_waits(const SeatState& seat, int kind) const {
  if (seat.drawn->kind() != kind) return false;
  KindCounts after = seat.concealed.kinds();
  after[kind] = 0;
  return waits(after) == seat.waits;
}

void Table::offer_discards(TileMask tiles) {
  forget_choices();
  legal_[turn_] = ActionSet::discards(tiles);
}

void Table::offer_own_turn() {
  forget_choices();
  keeping_tenpai_ = 0;
  if (hides(turn_)) return;
  const SeatState& seat = seats_[turn_];
  const bool in_riichi = seat.riichi == Riichi::Accepted;
  ActionSet& actions = legal_[turn_];
  actions = ActionSet::discards(in_riichi ? mask_of(*seat.drawn) : seat.concealed.distinct());
  if (may_declare_riichi()) keeping_tenpai_ = keeping_tenpai(seat);
  if (keeping_tenpai_ != 0) actions.add(Action::riichi());
  offer_kans(seat, actions);
  if (may_win(turn_)) actions.add(Action::win());
  if (rules_.nine_terminals_abort && first_turn(turn_) && nine_terminals())
    actions.add(Action::nine_terminals());
  const bool has_north = rules_.players == 3 && seat.concealed.count(kNorth) > 0;
  if (has_north && tiles_left_ > 0 && (!in_riichi || seat.drawn == kNorth))
    actions.add(Action::north());
}

// All conditions but that a discard must leave tenpai.
bool Table::may_declare_riichi() const {
  const SeatState& seat = seats_[turn_];
  if (seat.riichi != Riichi::None || scores_[turn_] < kStickPoints) return false;
  if (tiles_left_ < rules_.players || seat.shanten > 1 || !seat.closed()) return false;
  return shanten(seat.concealed.kinds(), static_cast<int>(seat.melds.size())) <= 0;
}

void Table::offer_kans(const SeatState& seat, ActionSet& actions) const {
  if (tiles_left_ == 0 || kans_ == kMostKans) return;
  for (int kind = 0; kind < kKinds; ++kind)
    if (seat.concealed.count_kind(kind) == kCopies &&
        (seat.riichi != Riichi::Accepted || keeps_waits(seat, kind)))
      actions.add(Action::kan(kind));
  for (const Meld& meld : seat.melds)
    if (meld.kind == MeldKind::Pon && seat.concealed.count_kind(meld.called.kind()) > 0)
      actions.add(Action::kan(meld.called.kind()));
}

void Table::offer_reactions() {
  forget_choices();
  const Tile tile = seats_[turn_].discards.back().tile;
  const bool callable = !due_draw();
  for (int number = 0; number < rules_.players; ++number) {
    if (number == turn_) continue;
    ActionSet& actions = legal_[number];
    if (callable && seats_[number].riichi == Riichi::None) offer_calls(number, tile, actions);
    if (may_win(number)) actions.add(Action::win());
    if (!actions.empty()) actions.add(Action::pass());
  }
}

void Table::offer_calls(int number, Tile tile, ActionSet& actions) const {
  const Concealed& concealed = seats_[number].concealed;
  const int kind = tile.kind();
  const int held = concealed.count_kind(kind);
  // A call must leave a tile that may be discarded.
  const auto leaves = [&](KindMask barred, int used) {
    if (rules_.swap_calling) return concealed.size() > used;
    int free = concealed.size() - used;
    for (; barred != 0; barred &= barred - 1)
      free -= concealed.count_kind(std::countr_zero(barred));
    return free > 0;
  };
  if (held >= 2 && leaves(KindMask{1} << kind, 0)) {
    if (blacks(concealed, kind) >= 2) actions.add(Action::pon(false));
    if (has_red(concealed, kind)) actions.add(Action::pon(true));
  }
  if (held >= 3 && kans_ < kMostKans) actions.add(Action::open_kan());
  if (is_honor(kind) || number != next_seat(turn_) || rules_.players == 3) return;
  for (const Run& run : kRuns) {
    if (!in_suit(kind, run.low) || !in_suit(kind, run.high)) continue;
    const int low = kind + run.low, high = kind + run.high;
    if (concealed.count_kind(low) == 0 || concealed.count_kind(high) == 0) continue;
    KindMask barred = KindMask{1} << kind;
    if (run.other_end != 0 && in_suit(kind, run.other_end))
      barred |= KindMask{1} << (kind + run.other_end);
    if (!leaves(barred, 2)) continue;
    if (blacks(concealed, low) > 0 && blacks(concealed, high) > 0)
      actions.add(Action::chi(run.place, false));
    if (has_red(concealed, low) || has_red(concealed, high))
      actions.add(Action::chi(run.place, true));
  }
}

void Table::offer_robbing() {
  forget_choices();
  if (!robbable_) return;
  for (int number = 0; number < rules_.players; ++number) {
    if (number == turn_ || !may_win(number)) continue;
    legal_[number].add(Action::win());
    legal_[number].add(Action::pass());
  }
}

Discard Table::discard_of(Seat seat, Action action) const {
  return {.seat = seat, .tile = action.tile(), .tsumogiri = seats_[seat].drawn == action.tile()};
}

namespace {

// A tile of this kind from the hand: the red one where asked for, or where there is no other.
Tile own_tile(const Concealed& concealed, int kind, bool red) {
  const Tile black = Tile::of_kind(kind);
  if (!is_five(kind)) return black;
  return red || concealed.count(black) == 0 ? Tile::red_five(suit_of(kind)) : black;
}

}  // namespace

Call Table::call_of(Seat seat, Action action) const {
  const Concealed& concealed = seats_[seat].concealed;
  Call call{.seat = seat,
            .from = turn_,
            .kind = CallKind::OpenKan,
            .called = seats_[turn_].discards.back().tile,
            .own = {}};
  const int kind = call.called.kind();
  const Tile black = Tile::of_kind(kind);
  if (action.is_chi()) {
    const Run& run = kRuns[static_cast<size_t>(action.place())];
    call.kind = CallKind::Chi;
    call.own = {own_tile(concealed, kind + run.low, action.red()),
                own_tile(concealed, kind + run.high, action.red())};
  } else if (action.is_pon()) {
    call.kind = CallKind::Pon;
    call.own = {black, action.red() ? Tile::red_five(suit_of(kind)) : black};
  } else {
    const bool red = has_red(concealed, kind);
    call.own = {black, black, red ? Tile::red_five(suit_of(kind)) : black};
  }
  return call;
}

ClosedKan Table::closed_kan_of(Seat seat, int kind) const {
  const Tile black = Tile::of_kind(kind);
  ClosedKan kan{.seat = seat, .tiles = {black, black, black, black}};
  if (has_red(seats_[seat].concealed, kind)) kan.tiles[3] = Tile::red_five(suit_of(kind));
  return kan;
}

AddedKan Table::added_kan_of(Seat seat, int kind) const {
  return {.seat = seat, .added = own_tile(seats_[seat].concealed, kind, false)};
}

std::optional<Action> Table::action_of(const Call& call) const {
  const std::span<const Tile> own(call.own.data(), call.own_count());
  const bool red = std::ranges::any_of(own, &Tile::red);
  if (call.kind == CallKind::OpenKan) return Action::open_kan();
  if (call.kind == CallKind::Pon) return Action::pon(red);
  const int distance = call.called.kind() - std::min(own[0].kind(), own[1].kind());
  if (distance < -1 || distance > 2 || distance == 0) return std::nullopt;
  return Action::chi(distance < 0 ? RunPlace::Low : static_cast<RunPlace>(distance), red);
}

// After a win on a discard: who else may win on it.
void Table::offer_further_wins() {
  const int most = rules_.head_bump ? 1 : rules_.triple_ron_aborts ? 2 : 3;
  const bool more = std::popcount(winners_) < most && !(winners_ >> turn_ & 1);
  for (Seat number = 0; number < kSeats; ++number) {
    const bool may = more && !(winners_ >> number & 1) && legal_[number].contains(Action::win());
    legal_[number] = {};
    if (!may) continue;
    legal_[number].add(Action::win());
    legal_[number].add(Action::pass());
  }
}

}  // namespace ippatsu::mahjong
