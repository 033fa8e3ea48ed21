#include "play/placement.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mahjong/payment.h"
#include "play/statistics.h"

namespace ippatsu::play {

using namespace mahjong;

namespace {

// Both were measured on 600 hanchan of heuristic players: the difference between two seats moves by
// 6,380 points a round, which is sqrt(2) times the step of one, and 11.2 rounds are played where 8
// are scheduled.
constexpr double kPointsARound = 4500;
constexpr double kRoundsAScheduledOne = 1.4;

int scheduled_rounds(Length length) {
  switch (length) {
    case Length::OneRound:
      return 1;
    case Length::East:
      return kSeats;
    case Length::South:
      return 2 * kSeats;
  }
  return 0;
}

double normal_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

// Probabilities that 0, 1, 2 and 3 of the others come out above, each by itself.
SeatValues above_counts(std::span<const double> above) {
  SeatValues counts = {1, 0, 0, 0};
  for (const double p : above)
    for (int n = kSeats - 1; n >= 0; --n)
      counts[n] = counts[n] * (1 - p) + (n > 0 ? counts[n - 1] * p : 0);
  return counts;
}

// The rank points of a seat, over what its own score may come to.
double expected_of(int self, const Scores& scores, double deviation) {
  constexpr int kNodes = 33;
  constexpr double kReach = 4;  // standard deviations
  double sum = 0, weights = 0;
  for (int node = 0; node < kNodes; ++node) {
    const double z = kReach * (2.0 * node / (kNodes - 1) - 1);
    const double weight = std::exp(-z * z / 2);
    std::array<double, kSeats - 1> above;
    int other = 0;
    for (int seat = 0; seat < kSeats; ++seat)
      if (seat != self) above[other++] = normal_tail((scores[self] - scores[seat]) / deviation + z);
    const SeatValues places = above_counts(above);
    for (int place = 0; place < kSeats; ++place) sum += weight * places[place] * kRankPoints[place];
    weights += weight;
  }
  return sum / weights;
}

}  // namespace

SeatValues expected_rank_points(const Scores& scores, double rounds, const RuleSet& rules) {
  SeatValues values{};
  if (rounds <= 0) {
    const std::array<Seat, kSeats> order = ranking(scores, rules);
    for (int place = 0; place < kSeats; ++place) values[order[place]] = kRankPoints[place];
    return values;
  }
  const double deviation = kPointsARound * std::sqrt(rounds);
  double mean = 0;
  for (int seat = 0; seat < kSeats; ++seat) {
    values[seat] = expected_of(seat, scores, deviation);
    mean += values[seat] / kSeats;
  }
  for (double& value : values) value -= mean;
  return values;
}

double rounds_left(const StartRound& round, const RuleSet& rules) {
  const int played = kSeats * static_cast<int>(round.round_wind) + round.number - 1;
  return kRoundsAScheduledOne * std::max(scheduled_rounds(rules.length) - played, 1);
}

std::vector<SeatValues> round_rewards(std::span<const Event> events) {
  const RuleSet& rules = std::get<StartGame>(events.front()).rules;
  std::vector<SeatValues> values;
  for (const Event& event : events) {
    if (const auto* round = std::get_if<StartRound>(&event))
      values.push_back(expected_rank_points(round->scores, rounds_left(*round, rules), rules));
    if (const auto* end = std::get_if<EndGame>(&event))
      values.push_back(expected_rank_points(*end->scores, 0, rules));
  }
  for (size_t round = 0; round + 1 < values.size(); ++round)
    for (int seat = 0; seat < kSeats; ++seat)
      values[round][seat] = values[round + 1][seat] - values[round][seat];
  values.pop_back();
  return values;
}

}  // namespace ippatsu::play
