#include "cli/eval.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/players.h"
#include "play/match.h"
#include "records/write_record.h"
#include "report/table.h"

namespace ippatsu::cli {

namespace {

using nlohmann::ordered_json;
using play::Estimate;
using play::SeatRecord;
using play::Verdict;

struct EvalOptions {
  std::string player, others;
  play::MatchOptions match;
  std::string out;
  std::string device = "ippatsu";
  bool json = false;
};

void check(const EvalOptions& options) {
  if (options.match.sets < 1) fail("--sets must be at least 1");
  if (options.match.arena.workers < 1) fail("--workers must be at least 1");
  if (options.match.arena.tables < 1) fail("--tables must be at least 1");
}

// The share of rounds, or of what else a count is out of.
struct Rate {
  const char* name;
  const char* title;
  double (*of)(const SeatRecord&);
};

double share(double part, double whole) { return whole == 0 ? 0 : part / whole; }

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

ordered_json rates(const SeatRecord& record) {
  ordered_json json{{"rounds", record.rounds}};
  for (const Rate& rate : kRates) json[rate.name] = rate.of(record);
  json["mean_win"] = mean_win(record);
  json["mean_deal_in"] = mean_deal_in(record);
  return json;
}

double games_per_second(const Verdict& verdict) {
  return share(static_cast<double>(verdict.games_played), verdict.seconds);
}

ordered_json json_of(const EvalOptions& options, const Verdict& verdict) {
  return {{"format", 1},
          {"player", options.player},
          {"others", options.others},
          {"seed", options.match.seed},
          {"sets", verdict.sets},
          {"games", verdict.games},
          {"faults", verdict.faults},
          {"stopped_early", verdict.stopped_early},
          {"ranks", verdict.ranks},
          {"mean_rank", to_json(verdict.rank)},
          {"points", to_json(verdict.points)},
          {"stable_dan_houou", to_json(verdict.dan_houou)},
          {"stable_dan_tokujou", to_json(verdict.dan_tokujou)},
          {"rates", rates(verdict.records[0])},
          {"rates_of_others", rates(verdict.records[1])},
          {"games_per_second", games_per_second(verdict)}};
}

// Faults and what was not played leave sets out; without a whole one there is nothing to say.
std::string summary(const EvalOptions& options, const Verdict& verdict) {
  std::string text =
      fmt::format("{} against three of {}: {} sets of 4 games with the same walls, seed {}{}\n",
                  options.player, options.others, verdict.sets, options.match.seed,
                  verdict.stopped_early ? ", stopped early: decided" : "");
  if (verdict.faults > 0)
    text += fmt::format("{} games ended by a player's failure; their sets do not count\n",
                        verdict.faults);
  return text;
}

report::Table strength_table(const Verdict& verdict) {
  report::Table table{.columns = {{"relative to these opponents"},
                                  {"value", "", 2},
                                  {"95 % from", "", 2},
                                  {"to", "", 2},
                                  {"of equals", "", 2}}};
  const auto row = [&](const char* name, const Estimate& estimate, double equal) {
    table.rows.push_back({name, estimate.value, estimate.low, estimate.high, equal});
  };
  row("mean rank", verdict.rank, 2.5);
  row("rank points a game (90, 45, 0, -135)", verdict.points, 0);
  row("stable dan, houou", verdict.dan_houou, 7);
  row("stable dan, tokujou", verdict.dan_tokujou, 5);
  return table;
}

report::Table rank_table(const Verdict& verdict) {
  report::Table table{.columns = {{"rank"}, {"games"}, {"share", "%", 1}}};
  for (int rank = 0; rank < mahjong::kSeats; ++rank)
    table.rows.push_back({fmt::format("{}", rank + 1), static_cast<double>(verdict.ranks[rank]),
                          100 * share(static_cast<double>(verdict.ranks[rank]),
                                      static_cast<double>(verdict.games - verdict.faults))});
  return table;
}

report::Table rate_table(const EvalOptions& options, const Verdict& verdict) {
  const SeatRecord& player = verdict.records[0];
  const SeatRecord& others = verdict.records[1];
  report::Table table{
      .columns = {{"of its rounds"}, {options.player, "%", 1}, {options.others, "%", 1}}};
  for (const Rate& rate : kRates)
    table.rows.push_back({rate.title, 100 * rate.of(player), 100 * rate.of(others)});
  return table;
}

// The whole game as gzipped mjai lines, with the players' names.
void keep_record(const EvalOptions& options, const play::Players& players,
                 const play::PlayedGame& game) {
  if (!game.fault.empty()) return;
  mahjong::Record record{.source = "game", .events = {}};
  for (const mahjong::Event& event : game.events) record.events.push_back({event, 0});
  std::vector<std::string>& names = std::get<mahjong::StartGame>(record.events[0].event).names;
  names.assign(mahjong::kSeats, players[1]->name());
  names[game.index % mahjong::kSeats] = players[0]->name();
  const std::filesystem::path folder = *options.match.folder / "records";
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / fmt::format("game-{:06}.mjai.gz", game.index),
                        gzip(mahjong::write_mjai(record)));
}

// On a terminal only: one line, rewritten.
class ProgressLine {
 public:
  void show(size_t done, size_t all) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || (now < next_ && done < all)) return;
    next_ = now + std::chrono::milliseconds(200);
    fmt::print(stderr, "\r{} of {} games{}", done, all, done == all ? "\n" : "");
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point next_{};
};

void eval(EvalOptions options) {
  check(options);
  if (!options.out.empty()) options.match.folder = options.out;
  const play::Players players = {player_of(options.player, options.device),
                                 player_of(options.others, options.device)};
  ProgressLine progress;
  const auto show = [&](size_t done, size_t all) {
    progress.show(done, all);
    return true;
  };
  const auto keep = [&](const play::PlayedGame& game) {
    if (options.match.folder) keep_record(options, players, game);
  };
  const Verdict verdict = play::play_match(players, options.match, show, keep);
  if (options.json) {
    std::cout << json_of(options, verdict).dump(2) << "\n";
    return;
  }
  fmt::print("{}\n{}\n{}\n{}\n{:.1f} games a second\n", summary(options, verdict),
             report::text_table(strength_table(verdict)), report::text_table(rank_table(verdict)),
             report::text_table(rate_table(options, verdict)), games_per_second(verdict));
}

}  // namespace

void add_eval_command(CLI::App& app) {
  auto options = std::make_shared<EvalOptions>();
  auto* command = app.add_subcommand(
      "eval",
      "Measure a player's strength: A alone against three of B, each set of walls once on every "
      "seat.\nThe intervals are of 95 % and from a bootstrap over sets. Stable dan is relative to "
      "these opponents:\nequal players have 7.0 (houou) and 5.0 (tokujou).");
  command->footer(player_help() +
                  "Example:\n  ippatsu eval heuristic greedy --sets 1000 --seed 1 --out runs/eval");
  command->add_option("A", options->player, "the player that is measured")->required();
  command->add_option("B", options->others, "its three opponents")->required();
  command->add_option("--sets", options->match.sets, "sets of four games")->capture_default_str();
  command->add_option("--seed", options->match.seed, "of the walls")->capture_default_str();
  command->add_option(
      "--out", options->out,
      "folder for results.jsonl and the games as mjai; a run that was stopped goes on "
      "there");
  command
      ->add_option("--device", options->device,
                   "what nets run on: cpu (eager PyTorch), ippatsu or ippatsu:N")
      ->capture_default_str();
  command->add_option("--workers", options->match.arena.workers, "threads")->capture_default_str();
  command->add_option("--tables", options->match.arena.tables, "games that a thread plays at once")
      ->capture_default_str();
  command->add_flag(
      "--sequential", options->match.sequential,
      "Stop once it is decided: looks at 1/8, 1/4, 1/2 and all of the sets, each with an "
      "interval at 98.75 %, so that equals are told apart in at most 5 % of matches");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options] { eval(*options); });
}

}  // namespace ippatsu::cli
