#include "cli/selfplay.h"

#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/game_folder.h"
#include "cli/play_options.h"
#include "cli/play_tables.h"
#include "cli/players.h"
#include "cli/progress_line.h"
#include "play/tally.h"

namespace ippatsu::cli {

namespace {

using nlohmann::ordered_json;

struct SelfplayOptions {
  std::vector<std::string> players;
  size_t games = 100;
  uint64_t seed = 1;
  std::string out;
  PlayOptions play;
  bool json = false;
};

void check(const SelfplayOptions& options) {
  if (options.games < 1) fail("--games must be at least 1");
  if (options.players.size() > mahjong::kSeats)
    fail("there are {} players, and four seats", options.players.size());
}

struct Outcome {
  std::vector<play::Standing> standings;
  size_t found = 0;  // games that the folder held
  size_t played = 0;
  size_t faults = 0;
  std::string first_fault = {};
  double seconds = 0;

  double games_per_second() const { return share(static_cast<double>(played), seconds); }
};

class Selfplay {
 public:
  explicit Selfplay(const SelfplayOptions& options)
      : options_(options),
        plan_(play::rotating_plan(options.games, options.players.size(), options.seed)),
        tally_(plan_),
        players_(players_of(options.players, options.play)) {
    if (!options.out.empty()) folder_.emplace(options.out);
  }

  Outcome run() {
    find_games();
    const auto begin = std::chrono::steady_clock::now();
    play::play_games(
        plan_, players_, options_.play.arena, [&](size_t game) { return !has(game); },
        [&](play::PlayedGame&& game) {
          finish(game);
          return true;
        });
    outcome_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    outcome_.standings = tally_.standings();
    return outcome_;
  }

 private:
  bool has(size_t game) const { return folder_ && folder_->has(game); }

  void find_games() {
    for (size_t game = 0; folder_ && game < plan_.size(); ++game) {
      if (!has(game)) continue;
      tally_.add(folder_->load(game, plan_[game], players_));
      ++outcome_.found;
      show_progress();
    }
  }

  void finish(const play::PlayedGame& game) {
    ++outcome_.played;
    show_progress();
    if (!game.fault.empty()) {
      if (outcome_.faults++ == 0) outcome_.first_fault = game.fault;
      return;
    }
    if (folder_) folder_->keep(game, plan_[game.index], players_);
    tally_.add(game);
  }

  void show_progress() { progress_.show(outcome_.found + outcome_.played, plan_.size()); }

  const SelfplayOptions& options_;
  std::vector<play::PlannedGame> plan_;
  play::Tally tally_;
  play::Players players_;
  std::optional<GameFolder> folder_;
  ProgressLine progress_{"games"};
  Outcome outcome_;
};

ordered_json json_of(const SelfplayOptions& options, const Outcome& outcome) {
  ordered_json json{{"format", 1},
                    {"seed", options.seed},
                    {"games", outcome.found + outcome.played},
                    {"faults", outcome.faults},
                    {"games_per_second", outcome.games_per_second()},
                    {"players", ordered_json::array()}};
  for (size_t i = 0; i < options.players.size(); ++i) {
    const play::Standing& standing = outcome.standings[i];
    ordered_json& player = json["players"].emplace_back(
        ordered_json{{"player", options.players[i]}, {"ranks", standing.ranks}});
    player.update(strength_json(standing.strength));
    player["rates"] = rates_json(standing.record);
  }
  return json;
}

report::Table points_table(const SelfplayOptions& options, const Outcome& outcome) {
  report::Table table{.columns = {{"relative to the others"},
                                  {"mean rank", "", 2},
                                  {"rank points", "a game", 2},
                                  {"95 % from", "", 2},
                                  {"to", "", 2}}};
  for (size_t i = 0; i < options.players.size(); ++i) {
    const play::Strength& strength = outcome.standings[i].strength;
    table.rows.push_back({options.players[i], strength.rank.value, strength.points.value,
                          strength.points.low, strength.points.high});
  }
  return table;
}

void print_tables(const SelfplayOptions& options, const Outcome& outcome) {
  std::vector<NamedRanks> ranks;
  std::vector<NamedRecord> records;
  for (size_t i = 0; i < options.players.size(); ++i) {
    ranks.push_back({options.players[i], outcome.standings[i].ranks});
    records.push_back({options.players[i], outcome.standings[i].record});
  }
  fmt::print("{}\n{}\n{}\n", report::text_table(points_table(options, outcome)),
             report::text_table(rank_table(ranks)), report::text_table(rate_table(records)));
}

void print_count(const SelfplayOptions& options, const Outcome& outcome) {
  if (outcome.faults > 0)
    fmt::print("{} games ended by a player's failure, the first so: {}\n", outcome.faults,
               outcome.first_fault);
  fmt::print("{} games played, {:.1f} a second", outcome.played, outcome.games_per_second());
  if (outcome.found > 0) fmt::print("; {} were there", outcome.found);
  if (!options.out.empty()) fmt::print("; records in {}", options.out);
  fmt::print("\n");
}

void selfplay(const SelfplayOptions& options) {
  check(options);
  const Outcome outcome = Selfplay(options).run();
  if (options.json) {
    std::cout << json_of(options, outcome).dump(2) << "\n";
    return;
  }
  print_tables(options, outcome);
  print_count(options, outcome);
}

void generate(const SelfplayOptions& options) {
  check(options);
  const Outcome outcome = Selfplay(options).run();
  print_count(options, outcome);
}

constexpr const char* kPlan =
    "The players sit round the table in the order given, again from the first until it is full,\n"
    "and move on by a seat from game to game. Equal seeds give equal games, however many are\n"
    "played at once, and a run that was stopped goes on in its folder.";

void add_game_options(CLI::App& command, SelfplayOptions& options) {
  command.add_option("--games", options.games, "games to be played")->capture_default_str();
  command.add_option("--seed", options.seed, "of the walls")->capture_default_str();
  add_play_options(command, options.play);
}

}  // namespace

void add_selfplay_command(CLI::App& app) {
  auto options = std::make_shared<SelfplayOptions>();
  auto* command = app.add_subcommand(
      "selfplay", fmt::format("Play games among one to four players and tell how they did.\n{}\n"
                              "Intervals are of 95 % and from a bootstrap over games.",
                              kPlan));
  command->footer(player_help() +
                  "Example:\n  ippatsu selfplay heuristic,greedy --games 1000 --out runs/games");
  command->add_option("PLAYERS", options->players, "one to four, with commas between them")
      ->delimiter(',')
      ->required();
  add_game_options(*command, *options);
  command->add_option("--out", options->out, "folder for the games, a gzipped mjai file each");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options] { selfplay(*options); });
}

void add_records_generate(CLI::App& records) {
  auto options = std::make_shared<SelfplayOptions>();
  auto* command = records.add_subcommand(
      "generate",
      fmt::format("Make records: games of our own players, a gzipped mjai file each.\n{}", kPlan));
  command->footer(
      player_help() +
      "Example:\n  ippatsu records generate --players heuristic --games 2000 --out my/games");
  command->add_option("--players", options->players, "one to four, with commas between them")
      ->delimiter(',')
      ->required();
  add_game_options(*command, *options);
  command->add_option("--out", options->out, "folder for the games")->required();
  command->callback([options] { generate(*options); });
}

}  // namespace ippatsu::cli
