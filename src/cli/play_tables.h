#pragma once

// What players did, as tables and as JSON.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "play/statistics.h"
#include "report/table.h"

namespace ippatsu::cli {

double share(double part, double whole);  // 0 of nothing

// {rounds, win_rate, deal_in_rate, ..., mean_win, mean_deal_in}
nlohmann::ordered_json rates_json(const play::SeatRecord& record);

// {mean_rank, points, stable_dan_houou, stable_dan_tokujou}, each {value, low, high}
nlohmann::ordered_json strength_json(const play::Strength& strength);

struct NamedRecord {
  std::string name;
  play::SeatRecord record;
};

// A column a player, a row a rate.
report::Table rate_table(const std::vector<NamedRecord>& players);

struct NamedRanks {
  std::string name;
  play::RankCounts ranks;
};

// For each player its games and its share of each rank.
report::Table rank_table(const std::vector<NamedRanks>& players);

}  // namespace ippatsu::cli
