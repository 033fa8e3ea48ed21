#pragma once

// What many games say about a player: ranks, rates, and how sure one may be of them.
//
// The unit is the set: four games with the same walls, the player once on each seat. Games of a set
// are alike, so that intervals come from a bootstrap over sets, never over games.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mahjong/event.h"
#include "mahjong/seat.h"

namespace ippatsu::play {

// How often a player came first, second, third and last.
using RankCounts = std::array<int64_t, mahjong::kSeats>;

// Points of the ranks in a game at Tenhou's higher tables, in the terms of a fifth dan's.
inline constexpr std::array<double, mahjong::kSeats> kRankPoints = {90, 45, 0, -135};

double mean_rank(const RankCounts& counts);         // 1 .. 4
double mean_rank_points(const RankCounts& counts);  // -135 .. 90

// The dan at which a player with these ranks would neither rise nor fall at Tenhou's houou and
// tokujou tables. Infinite without a last place. Players of equal strength have 7 and 5.
double stable_dan_houou(const RankCounts& counts);    // (6 n1 + 3 n2) / n4 - 2
double stable_dan_tokujou(const RankCounts& counts);  // (5 n1 + 2 n2) / n4 - 2

struct Estimate {
  double value = 0;
  double low = 0;  // of the interval
  double high = 0;

  bool excludes(double other) const { return other < low || other > high; }
};

using RankStatistic = double (*)(const RankCounts&);

// The statistic over all sets, and the percentile interval of `resamples` bootstrap samples of sets
// (Efron and Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13). At least one set.
Estimate bootstrap(std::span<const RankCounts> sets, RankStatistic statistic,
                   double confidence = 0.95, int resamples = 2000, uint64_t seed = 1);

// How strong a player is relative to its opponents.
struct Strength {
  Estimate rank;
  Estimate points;
  Estimate dan_houou;
  Estimate dan_tokujou;
};

// From at least one set, with intervals of 95 %.
Strength strength_of(std::span<const RankCounts> sets);

// What a seat did in a game.
struct SeatRecord {
  int rounds = 0;
  int wins = 0;
  int tsumo = 0;
  int deal_ins = 0;
  int riichi = 0;   // accepted
  int calling = 0;  // rounds in which it made an open meld
  int tenpai_at_draw = 0;
  int exhaustive_draws = 0;
  int64_t won_points = 0;    // by its wins
  int64_t dealt_points = 0;  // by its deal-ins, positive

  void add(const SeatRecord& other);

  friend bool operator==(const SeatRecord&, const SeatRecord&) = default;
};

// Counts the events of one game.
std::array<SeatRecord, mahjong::kSeats> seat_records(std::span<const mahjong::Event> events);

}  // namespace ippatsu::play
