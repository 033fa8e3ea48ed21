#include "play/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/split_mix.h"

namespace ippatsu::play {

namespace {

using namespace mahjong;

int64_t games_in(const RankCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), int64_t{0});
}

double mean(const RankCounts& counts, const std::array<double, kSeats>& worth) {
  double sum = 0;
  for (int rank = 0; rank < kSeats; ++rank) sum += static_cast<double>(counts[rank]) * worth[rank];
  return sum / static_cast<double>(games_in(counts));
}

double stable_dan(const RankCounts& counts, double first, double second) {
  if (counts[3] == 0) return std::numeric_limits<double>::infinity();
  return (first * static_cast<double>(counts[0]) + second * static_cast<double>(counts[1])) /
             static_cast<double>(counts[3]) -
         2;
}

RankCounts sum_of(std::span<const RankCounts> sets) {
  RankCounts total{};
  for (const RankCounts& set : sets)
    for (int rank = 0; rank < kSeats; ++rank) total[rank] += set[rank];
  return total;
}

RankCounts resampled(std::span<const RankCounts> sets, SplitMix64& random) {
  RankCounts total{};
  for (size_t i = 0; i < sets.size(); ++i) {
    const RankCounts& set = sets[random.below(static_cast<uint32_t>(sets.size()))];
    for (int rank = 0; rank < kSeats; ++rank) total[rank] += set[rank];
  }
  return total;
}

class SeatCounter {
 public:
  std::array<SeatRecord, kSeats> count(std::span<const Event> events) {
    for (const Event& event : events) std::visit([this](const auto& e) { on(e); }, event);
    return records_;
  }

 private:
  template <typename Any>
  void on(const Any&) {}

  void on(const StartRound&) {
    for (SeatRecord& record : records_) ++record.rounds;
    called_ = {};
  }

  void on(const RiichiAccepted& event) { ++records_[event.seat].riichi; }

  void on(const Call& event) {
    if (!called_[event.seat]) ++records_[event.seat].calling;
    called_[event.seat] = true;
  }

  void on(const Win& event) {
    const bool tsumo = event.seat == event.from;
    SeatRecord& winner = records_[event.seat];
    ++winner.wins;
    winner.tsumo += tsumo;
    if (event.deltas) winner.won_points += (*event.deltas)[event.seat];
    if (tsumo) return;
    SeatRecord& loser = records_[event.from];
    ++loser.deal_ins;
    if (event.deltas) loser.dealt_points -= (*event.deltas)[event.from];
  }

  void on(const RoundDraw& event) {
    if (event.kind != DrawKind::Exhaustive) return;
    for (int seat = 0; seat < kSeats; ++seat) {
      ++records_[seat].exhaustive_draws;
      if (event.deltas) records_[seat].tenpai_at_draw += (*event.deltas)[seat] > 0;
    }
  }

  std::array<SeatRecord, kSeats> records_{};
  std::array<bool, kSeats> called_{};
};

}  // namespace

double mean_rank(const RankCounts& counts) { return mean(counts, {1, 2, 3, 4}); }
double mean_rank_points(const RankCounts& counts) { return mean(counts, kRankPoints); }
double stable_dan_houou(const RankCounts& counts) { return stable_dan(counts, 6, 3); }
double stable_dan_tokujou(const RankCounts& counts) { return stable_dan(counts, 5, 2); }

Estimate bootstrap(std::span<const RankCounts> sets, RankStatistic statistic, double confidence,
                   int resamples, uint64_t seed) {
  assert(!sets.empty() && resamples > 0);
  SplitMix64 random(seed);
  std::vector<double> values(static_cast<size_t>(resamples));
  for (double& value : values) value = statistic(resampled(sets, random));
  std::ranges::sort(values);
  const auto quantile = [&](double share) {
    return values[static_cast<size_t>(std::lround(share * (resamples - 1)))];
  };
  const double tail = (1 - confidence) / 2;
  return {statistic(sum_of(sets)), quantile(tail), quantile(1 - tail)};
}

Strength strength_of(std::span<const RankCounts> sets) {
  return {.rank = bootstrap(sets, mean_rank),
          .points = bootstrap(sets, mean_rank_points),
          .dan_houou = bootstrap(sets, stable_dan_houou),
          .dan_tokujou = bootstrap(sets, stable_dan_tokujou)};
}

void SeatRecord::add(const SeatRecord& other) {
  rounds += other.rounds;
  wins += other.wins;
  tsumo += other.tsumo;
  deal_ins += other.deal_ins;
  riichi += other.riichi;
  calling += other.calling;
  tenpai_at_draw += other.tenpai_at_draw;
  exhaustive_draws += other.exhaustive_draws;
  won_points += other.won_points;
  dealt_points += other.dealt_points;
}

std::array<SeatRecord, kSeats> seat_records(std::span<const Event> events) {
  return SeatCounter().count(events);
}

}  // namespace ippatsu::play
