#include "cli/play_tables.h"

#include <nlohmann/json.hpp>
#include <numeric>

#include "play/match.h"

namespace ippatsu::cli {

namespace {

using nlohmann::ordered_json;
using play::SeatRecord;

// The share of rounds, or of what else a count is out of.
struct Rate {
  const char* name;
  const char* title;
  double (*of)(const SeatRecord&);
};

constexpr Rate kRates[] = {
    {"win_rate", "wins", [](const SeatRecord& r) { return share(r.wins, r.rounds); }},
    {"deal_in_rate", "deals in", [](const SeatRecord& r) { return share(r.deal_ins, r.rounds); }},
    {"riichi_rate", "riichi", [](const SeatRecord& r) { return share(r.riichi, r.rounds); }},
    {"call_rate", "calls", [](const SeatRecord& r) { return share(r.calling, r.rounds); }},
    {"tsumo_share", "tsumo of wins", [](const SeatRecord& r) { return share(r.tsumo, r.wins); }},
    {"tenpai_at_draw_rate", "tenpai at draws",
     [](const SeatRecord& r) { return share(r.tenpai_at_draw, r.exhaustive_draws); }},
};

double mean_win(const SeatRecord& record) {
  return share(static_cast<double>(record.won_points), record.wins);
}

double mean_deal_in(const SeatRecord& record) {
  return share(static_cast<double>(record.dealt_points), record.deal_ins);
}

}  // namespace

double share(double part, double whole) { return whole == 0 ? 0 : part / whole; }

ordered_json rates_json(const SeatRecord& record) {
  ordered_json json{{"rounds", record.rounds}};
  for (const Rate& rate : kRates) json[rate.name] = rate.of(record);
  json["mean_win"] = mean_win(record);
  json["mean_deal_in"] = mean_deal_in(record);
  return json;
}

ordered_json strength_json(const play::Strength& strength) {
  return {{"mean_rank", to_json(strength.rank)},
          {"points", to_json(strength.points)},
          {"stable_dan_houou", to_json(strength.dan_houou)},
          {"stable_dan_tokujou", to_json(strength.dan_tokujou)}};
}

report::Table rate_table(const std::vector<NamedRecord>& players) {
  report::Table table{.columns = {{"of its rounds"}}};
  for (const NamedRecord& player : players) table.columns.push_back({player.name, "%", 1});
  for (const Rate& rate : kRates) {
    std::vector<report::Cell>& row = table.rows.emplace_back();
    row.emplace_back(rate.title);
    for (const NamedRecord& player : players) row.emplace_back(100 * rate.of(player.record));
  }
  return table;
}

report::Table rank_table(const std::vector<NamedRanks>& players) {
  report::Table table{.columns = {{"share of ranks"},
                                  {"games"},
                                  {"1st", "%", 1},
                                  {"2nd", "%", 1},
                                  {"3rd", "%", 1},
                                  {"4th", "%", 1}}};
  for (const auto& [name, ranks] : players) {
    const auto games = static_cast<double>(std::accumulate(ranks.begin(), ranks.end(), int64_t{0}));
    std::vector<report::Cell>& row = table.rows.emplace_back();
    row.emplace_back(name);
    row.emplace_back(games);
    for (const int64_t count : ranks)
      row.emplace_back(100 * share(static_cast<double>(count), games));
  }
  return table;
}

}  // namespace ippatsu::cli
