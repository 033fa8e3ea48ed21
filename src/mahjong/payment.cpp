#include "mahjong/payment.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace ippatsu::mahjong {

namespace {

constexpr int32_t kNotenPoints = 1000;  // for each player but one

int32_t rounded(int32_t points) { return (points + 99) / 100 * 100; }

bool has(unsigned seats, int seat) { return (seats >> seat & 1) != 0; }

void pay(Scores& deltas, int from, int to, int32_t points) {
  deltas[from] -= points;
  deltas[to] += points;
}

int32_t ron_points(int32_t base_points, const WinPayment& payment) {
  return rounded(base_points * (payment.winner == payment.dealer ? 6 : 4));
}

void pay_tsumo(Scores& deltas, int32_t base_points, Seat winner, Seat dealer, int players) {
  for (int seat = 0; seat < players; ++seat)
    if (seat != winner)
      pay(deltas, seat, winner,
          rounded(base_points * (winner == dealer || seat == dealer ? 2 : 1)));
}

// The base points that the liable seat answers for.
int32_t covered_points(const HandValue& value, const WinPayment& payment, const RuleSet& rules) {
  if (!rules.pao || !payment.liable) return 0;
  int times = 0;
  for (const YakuHan& yaku : value.yaku)
    if (yaku.yaku == Yaku::Daisangen || yaku.yaku == Yaku::Daisuushii)
      times += yaku.han / kYakumanHan;
  return std::min(times, value.yakuman) * kYakumanPoints;
}

void pay_covered(Scores& deltas, int32_t base_points, const WinPayment& payment) {
  const int32_t points = ron_points(base_points, payment);
  const Seat liable = *payment.liable;
  const bool tsumo = payment.from == payment.winner;
  pay(deltas, liable, payment.winner, tsumo ? points : points / 2);
  if (!tsumo) pay(deltas, payment.from, payment.winner, points / 2);
}

void pay_honba(Scores& deltas, const WinPayment& payment, bool covered, const RuleSet& rules) {
  const int32_t of_each = payment.honba * rules.honba_points / (kSeats - 1);
  const bool tsumo = payment.from == payment.winner;
  for (int seat = 0; seat < rules.players; ++seat) {
    if (seat == payment.winner) continue;
    pay(deltas, covered ? *payment.liable : tsumo ? seat : payment.from, payment.winner, of_each);
  }
}

}  // namespace

Scores win_deltas(const HandValue& value, const WinPayment& payment, const RuleSet& rules) {
  Scores deltas{};
  const int32_t covered = covered_points(value, payment, rules);
  const int32_t others = value.base_points - covered;
  if (payment.from == payment.winner)
    pay_tsumo(deltas, others, payment.winner, payment.dealer, rules.players);
  else
    pay(deltas, payment.from, payment.winner, ron_points(others, payment));
  if (covered > 0) pay_covered(deltas, covered, payment);
  pay_honba(deltas, payment, covered > 0, rules);
  deltas[payment.winner] += payment.sticks * kStickPoints;
  return deltas;
}

Scores noten_deltas(unsigned tenpai, const RuleSet& rules) {
  Scores deltas{};
  const int paid = std::popcount(tenpai);
  const int paying = rules.players - paid;
  if (paid == 0 || paying == 0) return deltas;
  const int32_t points = kNotenPoints * (rules.players - 1);
  for (int seat = 0; seat < rules.players; ++seat)
    deltas[seat] = has(tenpai, seat) ? points / paid : -points / paying;
  return deltas;
}

Scores nagashi_deltas(unsigned seats, Seat dealer, const RuleSet& rules) {
  Scores deltas{};
  for (Seat seat = 0; seat < rules.players; ++seat)
    if (has(seats, seat)) pay_tsumo(deltas, kManganPoints, seat, dealer, rules.players);
  return deltas;
}

std::array<Seat, kSeats> ranking(const Scores& scores, const RuleSet& rules) {
  std::array<Seat, kSeats> seats{};
  std::iota(seats.begin(), seats.end(), Seat{0});
  std::ranges::sort(
      seats, {}, [&](Seat seat) { return std::tuple(seat >= rules.players, -scores[seat], seat); });
  return seats;
}

}  // namespace ippatsu::mahjong
