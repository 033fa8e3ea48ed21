#include "play/danger.h"

#include <algorithm>

namespace ippatsu::play {

using namespace mahjong;

namespace {

// By number, and by the copies of an honour that are not seen.
constexpr std::array<double, 9> kNoSuji = {6.0, 8.0, 10.0, 12.5, 13.0, 12.5, 10.0, 8.0, 6.0};
constexpr std::array<double, 9> kSuji = {2.0, 3.5, 4.5, 2.5, 2.5, 2.5, 4.5, 3.5, 2.0};
constexpr std::array<double, 4> kHonor = {0.0, 0.5, 2.5, 4.5};
constexpr double kHalfSuji = 0.65;  // one of the two ryanmen waits of a middle tile is out
constexpr double kWall = 0.5;       // a neighbour of which all copies are seen

bool has(KindMask kinds, int kind) { return kinds >> kind & 1; }

bool in_suit(int kind, int step) {
  const int number = kind % 9 + step;
  return number >= 0 && number < 9;
}

// What the seat has let go by since its riichi, and its own discards: it cannot win on these.
KindMask safe_kinds(const Table& table, int other) {
  const SeatState& seat = table.seat(other);
  KindMask safe = seat.discarded_kinds;
  if (seat.riichi == Riichi::None) return safe;
  for (int number = 0; number < kSeats; ++number)
    for (const Discarded& discard : table.seat(number).discards)
      if (discard.order > seat.riichi_order) safe |= KindMask{1} << discard.tile.kind();
  return safe;
}

double danger_among(const Sight& sight, KindMask safe, int kind) {
  if (has(safe, kind)) return 0;
  if (is_honor(kind)) return kHonor[std::clamp(sight.unseen(kind), 0, 3)];
  int partners = 0, safe_partners = 0, walls = 0;
  for (const int step : {-3, 3})
    if (in_suit(kind, step)) {
      ++partners;
      safe_partners += has(safe, kind + step);
    }
  for (const int step : {-1, 1})
    if (in_suit(kind, step)) walls += sight.unseen(kind + step) == 0;
  if (safe_partners == partners) return kSuji[kind % 9];
  const double danger = kNoSuji[kind % 9] * (safe_partners > 0 ? kHalfSuji : 1);
  return walls > 0 ? danger * kWall : danger;
}

constexpr double kDealer = 1.3;
constexpr std::array<double, 5> kOpenHand = {0, 0.05, 0.2, 0.5, 0.9};  // by open melds
constexpr double kRichMelds = 0.25;  // three dora or more lie open

}  // namespace

double danger_of(const Sight& sight, int other, int kind) {
  return danger_among(sight, safe_kinds(sight.table, other), kind);
}

double threat_of(const Sight& sight, int other) {
  const SeatState& seat = sight.table.seat(other);
  const double dealer = other == sight.table.dealer() ? kDealer : 1;
  if (seat.riichi != Riichi::None) return dealer;
  const auto open = std::ranges::count_if(
      seat.melds, [](const Meld& meld) { return meld.kind != MeldKind::ClosedKan; });
  const double rich = open > 0 && sight.bonus(seat.melds) >= 3 ? kRichMelds : 0;
  return dealer * std::min(1.0, kOpenHand[open] + rich);
}

Threats::Threats(const Sight& sight) {
  for (int other = 0; other < sight.table.rules().players; ++other) {
    if (other == sight.seat) continue;
    const double threat = threat_of(sight, other);
    if (threat == 0) continue;
    most = std::max(most, threat);
    const KindMask safe = safe_kinds(sight.table, other);
    for (int kind = 0; kind < kKinds; ++kind)
      by_kind[kind] += threat * danger_among(sight, safe, kind);
  }
}

}  // namespace ippatsu::play
