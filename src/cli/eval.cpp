#include "cli/eval.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/game_folder.h"
#include "cli/play_options.h"
#include "cli/play_tables.h"
#include "cli/players.h"
#include "cli/progress_line.h"
#include "play/match.h"
#include "report/table.h"

namespace ippatsu::cli {

namespace {

using nlohmann::ordered_json;
using play::Estimate;
using play::Verdict;

struct EvalOptions {
  std::string player, others;
  play::MatchOptions match;
  std::string out;
  PlayOptions play;
  bool json = false;
};

double games_per_second(const Verdict& verdict) {
  return share(static_cast<double>(verdict.games_played), verdict.seconds);
}

ordered_json json_of(const EvalOptions& options, const Verdict& verdict) {
  ordered_json json{{"format", 1},
                    {"player", options.player},
                    {"others", options.others},
                    {"seed", options.match.seed},
                    {"sets", verdict.sets},
                    {"games", verdict.games},
                    {"faults", verdict.faults},
                    {"first_fault", verdict.first_fault ? ordered_json(verdict.first_fault->fault)
                                                        : ordered_json(nullptr)},
                    {"stopped_early", verdict.stopped_early},
                    {"ranks", verdict.ranks},
                    {"rates", rates_json(verdict.records[0])},
                    {"rates_of_others", rates_json(verdict.records[1])},
                    {"games_per_second", games_per_second(verdict)}};
  json.update(strength_json(verdict.strength));
  return json;
}

// Faults and what was not played leave sets out; without a whole one there is nothing to say.
std::string summary(const EvalOptions& options, const Verdict& verdict) {
  std::string text =
      fmt::format("{} against three of {}: {} sets of 4 games with the same walls, seed {}{}\n",
                  options.player, options.others, verdict.sets, options.match.seed,
                  verdict.stopped_early ? ", stopped early: decided" : "");
  if (verdict.faults > 0)
    text += fmt::format(
        "{} games ended by a player's failure; their sets do not count. The first, game {}:\n  "
        "{}\n",
        verdict.faults, verdict.first_fault->game, verdict.first_fault->fault);
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
  row("mean rank", verdict.strength.rank, 2.5);
  row("rank points a game (90, 45, 0, -135)", verdict.strength.points, 0);
  row("stable dan, houou", verdict.strength.dan_houou, 7);
  row("stable dan, tokujou", verdict.strength.dan_tokujou, 5);
  return table;
}

void eval(EvalOptions options) {
  if (options.match.sets < 1) fail("--sets must be at least 1");
  if (!options.out.empty()) options.match.folder = options.out;
  options.match.arena = options.play.arena;
  const play::Players players = players_of({options.player, options.others}, options.play);
  const std::vector<play::PlannedGame> plan =
      play::duplicate_plan(options.match.sets, options.match.seed);
  std::optional<GameFolder> folder;
  if (options.match.folder) folder.emplace(*options.match.folder / "records");
  ProgressLine progress("games");
  const auto show = [&](size_t done, size_t all) {
    progress.show(done, all);
    return true;
  };
  const auto keep = [&](const play::PlayedGame& game) {
    if (folder && game.fault.empty()) folder->keep(game, plan[game.index], players);
  };
  const Verdict verdict = play::play_match(players, options.match, show, keep);
  if (options.json) {
    std::cout << json_of(options, verdict).dump(2) << "\n";
    return;
  }
  fmt::print("{}\n{}\n{}\n{}\n{:.1f} games a second\n", summary(options, verdict),
             report::text_table(strength_table(verdict)),
             report::text_table(rank_table({{options.player, verdict.ranks}})),
             report::text_table(rate_table(
                 {{options.player, verdict.records[0]}, {options.others, verdict.records[1]}})),
             games_per_second(verdict));
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
  add_play_options(*command, options->play);
  command->add_flag(
      "--sequential", options->match.sequential,
      "Stop once it is decided: looks at 1/8, 1/4, 1/2 and all of the sets, each with an "
      "interval at 98.75 %, so that equals are told apart in at most 5 % of matches");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options] { eval(*options); });
}

}  // namespace ippatsu::cli
