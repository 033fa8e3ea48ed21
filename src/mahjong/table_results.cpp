// How rounds and games end: what a hand wins, what a draw pays, what comes next.

#include <algorithm>
#include <cassert>

#include "mahjong/hand_value.h"
#include "mahjong/payment.h"
#include "mahjong/table.h"

namespace ippatsu::mahjong {

namespace {

RiichiState riichi_state(const SeatState& seat) {
  if (seat.riichi != Riichi::Accepted) return RiichiState::None;
  return seat.double_riichi ? RiichiState::DoubleRiichi : RiichiState::Riichi;
}

}  // namespace

// What may be won on now.
std::optional<Tile> Table::winning_tile() const {
  const SeatState& seat = seats_[turn_];
  switch (phase_) {
    case Phase::Act:
      return seat.drawn;
    case Phase::KanReaction:
      return robbable_;
    case Phase::Reaction:
      return seat.discards.back().tile;
    case Phase::Won:
      return won_tile_;
    default:
      return std::nullopt;
  }
}

WinningHand Table::winning_hand(int number) const {
  const SeatState& seat = seats_[number];
  const bool tsumo = number == turn_;
  WinningHand hand{.concealed = seat.concealed,
                   .melds = seat.melds,
                   .winning = *winning_tile(),
                   .situation = {.tsumo = tsumo,
                                 .riichi = riichi_state(seat),
                                 .ippatsu = seat.ippatsu,
                                 .replacement = tsumo && replacement_,
                                 .robbed = robbing_,
                                 .last_tile = tiles_left_ == 0 && !(tsumo && replacement_),
                                 .first_turn = tsumo && first_turn(number),
                                 .round_wind = round_wind_,
                                 .seat_wind = wind_of(number)},
                   .dora_indicators = dora_,
                   .ura_indicators = {},
                   .norths = seat.kitas};
  if (!tsumo) hand.concealed.add(hand.winning);
  return hand;
}

std::optional<Scores> Table::win_deltas(int number, const Indicators& ura_indicators) const {
  WinningHand hand = winning_hand(number);
  hand.ura_indicators = ura_indicators;
  const std::optional<HandValue> value = hand_value(hand, rules_);
  if (!value) return std::nullopt;
  const bool first = winners_ == 0;
  const WinPayment payment{.winner = static_cast<Seat>(number),
                           .from = turn_,
                           .dealer = dealer_,
                           .honba = first ? honba_ : 0,
                           .sticks = first ? sticks_ : 0,
                           .liable = seats_[number].liable};
  return mahjong::win_deltas(*value, payment, rules_);
}

unsigned Table::tenpai_seats() const {
  unsigned tenpai = 0;
  for (int seat = 0; seat < rules_.players; ++seat)
    if (seats_[seat].waits != 0) tenpai |= 1U << seat;
  return tenpai;
}

unsigned Table::nagashi_seats() const {
  unsigned nagashi = 0;
  for (int seat = 0; seat < rules_.players; ++seat) {
    const bool all = std::ranges::all_of(seats_[seat].discards, [](const Discarded& discard) {
      return is_terminal_or_honor(discard.tile.kind()) && !discard.called_away;
    });
    if (all && !seats_[seat].discards.empty()) nagashi |= 1U << seat;
  }
  return nagashi;
}

bool Table::four_winds() const {
  if (discards_ != kSeats || interrupted_) return false;
  const int kind = seats_[turn_].discards[0].tile.kind();
  return is_wind(kind) && std::ranges::all_of(seats_, [&](const SeatState& seat) {
           return !seat.discards.empty() && seat.discards[0].tile.kind() == kind;
         });
}

bool Table::four_riichi() const {
  return std::ranges::all_of(seats_,
                             [](const SeatState& seat) { return seat.riichi == Riichi::Accepted; });
}

// Four kans of one seat are on the way to a yakuman, and the round goes on.
bool Table::four_kans() const {
  return kans_ == kMostKans && std::ranges::none_of(seats_, [](const SeatState& seat) {
           return std::ranges::count_if(seat.melds, &Meld::is_kan) == kMostKans;
         });
}

std::optional<DrawKind> Table::due_draw() const {
  if (phase_ != Phase::Reaction) return std::nullopt;
  if (rules_.four_winds_abort && four_winds()) return DrawKind::FourWinds;
  if (rules_.four_riichi_abort && four_riichi()) return DrawKind::FourRiichi;
  if (rules_.four_kans_abort && four_kans()) return DrawKind::FourKans;
  if (tiles_left_ > 0) return std::nullopt;
  return rules_.nagashi_mangan && nagashi_seats() != 0 ? DrawKind::NagashiMangan
                                                       : DrawKind::Exhaustive;
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
      return phase_ == Phase::Act &&
             (hides(turn_) || legal_[turn_].contains(Action::nine_terminals()));
    case DrawKind::FourWinds:
      return discarded && four_winds();
    case DrawKind::FourRiichi:
      return discarded && four_riichi();
    case DrawKind::FourKans:
      return reaction && kans_ == kMostKans;
    case DrawKind::TripleRon:
      return reaction && rules_.players == 4;
  }
  return false;
}

Scores Table::draw_deltas(DrawKind kind) const {
  if (kind == DrawKind::Exhaustive) return noten_deltas(tenpai_seats(), rules_);
  if (kind == DrawKind::NagashiMangan) return nagashi_deltas(nagashi_seats(), dealer_, rules_);
  return {};
}

// A draw that ends no hand: the same round is played again.
bool Table::was_aborted() const {
  if (!drawn_by_ || drawn_by_ == DrawKind::Exhaustive || drawn_by_ == DrawKind::NagashiMangan)
    return false;
  return drawn_by_ != DrawKind::Unspecified || tiles_left_ > 0;
}

bool Table::dealer_stays() const {
  return drawn_by_ ? was_aborted() || (tenpai_seats() >> dealer_ & 1) : winners_ >> dealer_ & 1;
}

Wind Table::last_wind() const { return rules_.length == Length::South ? Wind::South : Wind::East; }

bool Table::is_last_round() const {
  return rules_.length == Length::OneRound || round_wind_ > last_wind() ||
         (round_wind_ == last_wind() && number_ == rules_.players);
}

bool Table::is_over() const {
  const bool bust = std::ranges::any_of(scores_, [](int32_t points) { return points < 0; });
  if (rules_.busts && bust) return true;
  if (rules_.length == Length::OneRound) return true;
  if (!is_last_round() || was_aborted()) return false;
  const Seat first = ranking(scores_, rules_)[0];
  const bool reached = scores_[first] >= rules_.target_points;
  if (dealer_stays()) return rules_.dealer_may_end && reached && first == dealer_;
  return reached || (round_wind_ > last_wind() && number_ == rules_.players);
}

std::optional<NextRound> Table::next_round() const {
  assert(phase_ == Phase::BetweenRounds);
  if (is_over()) return std::nullopt;
  const int honba = drawn_by_ || dealer_stays() ? honba_ + 1 : 0;
  if (dealer_stays()) return NextRound{round_wind_, number_, honba, dealer_};
  const Seat dealer = next_seat(dealer_);
  const Wind wind =
      dealer == 0 ? static_cast<Wind>((static_cast<int>(round_wind_) + 1) % kSeats) : round_wind_;
  return NextRound{wind, static_cast<uint8_t>(dealer + 1), honba, dealer};
}

Scores Table::final_scores() const {
  Scores scores = scores_;
  scores[ranking(scores, rules_)[0]] += kStickPoints * sticks_;
  return scores;
}

}  // namespace ippatsu::mahjong
