#include "cli/analyze.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/present.h"
#include "analysis/query.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/advisers.h"
#include "cli/complaint.h"
#include "records/read_record.h"
#include "report/table.h"

namespace ippatsu::cli {

namespace {

namespace fs = std::filesystem;
using analysis::Adviser;
using analysis::Analysis;
using analysis::AnalysisOptions;

constexpr size_t kMostNets = 4;  // that the page has colours for

struct AnalyzeOptions {
  fs::path game;
  fs::path out;
  std::vector<std::string> nets = {"heuristic"};
  std::string device = "cpu";
  std::string language = "en";
  std::optional<int> seat;
  std::string player;
  int game_number = 1;
  double bad_below = AnalysisOptions{}.bad_below;
  bool anonymous = false;
  bool json = false;
  bool stdio = false;
};

void check(const AnalyzeOptions& options) {
  if (options.nets.size() > kMostNets)
    fail("--net: {} models are too many; at most {} fit side by side", options.nets.size(),
         kMostNets);
  if (!(options.bad_below >= 0 && options.bad_below <= 1))
    fail("--bad-below must be a probability, from 0 to 1");
  if (options.game_number < 1) fail("--game counts from 1");
  if (options.stdio && !(options.game.empty() && options.out.empty()))
    fail("--stdio takes its games from the questions, and puts the answers on standard output");
  if (!options.stdio && options.game.empty())
    fail("name a record to analyze, or --stdio to answer questions");
}

std::vector<Adviser*> pointers(const Advisers& advisers) {
  std::vector<Adviser*> all;
  for (const auto& adviser : advisers) all.push_back(adviser.get());
  return all;
}

void answer_questions(const AnalyzeOptions& options, const std::vector<Adviser*>& advisers) {
  const AnalysisOptions defaults{.bad_below = options.bad_below};
  std::string line;
  while (std::getline(std::cin, line))
    if (line.find_first_not_of(" \t\r") != line.npos)
      std::cout << analysis::answer(line, advisers, defaults) << std::endl;
}

// The seat whose choices are wanted, by its number or by its player's name.
std::optional<mahjong::Seat> wanted_seat(const AnalyzeOptions& options,
                                         const mahjong::Record& record) {
  if (options.seat) return static_cast<mahjong::Seat>(*options.seat);
  if (options.player.empty()) return std::nullopt;
  int game = 0;
  for (const mahjong::RecordedEvent& recorded : record.events) {
    const auto* start = std::get_if<mahjong::StartGame>(&recorded.event);
    if (!start || ++game != options.game_number) continue;
    const auto name = std::ranges::find(start->names, options.player);
    if (name != start->names.end()) return static_cast<mahjong::Seat>(name - start->names.begin());
  }
  fail("{}: nobody in game {} is called '{}'", record.source, options.game_number, options.player);
}

Analysis analysis_of(const AnalyzeOptions& options, const std::vector<Adviser*>& advisers) {
  mahjong::Record record = mahjong::read_record(options.game);
  const AnalysisOptions wanted{.game = options.game_number - 1,
                               .seat = wanted_seat(options, record),
                               .bad_below = options.bad_below};
  if (options.anonymous) mahjong::remove_names(record);
  Analysis analysis = analysis::analyse(record, advisers, wanted);
  analysis.source = options.anonymous ? "" : options.game.filename().string();
  return analysis;
}

report::Table verdict_table(const Analysis& analysis) {
  report::Table table{.columns = {{"player"},
                                  {"model"},
                                  {"choices"},
                                  {"agreement", "%", 1},
                                  {"low", "%", 1},
                                  {"high", "%", 1},
                                  {"similarity", "", 1},
                                  {"bad moves"}}};
  for (const analysis::Verdict& verdict : analysis.verdicts) {
    const play::Estimate agreement = verdict.agreement();
    table.rows.push_back(
        {analysis.course.game.names[verdict.seat], analysis.advisers[verdict.adviser].name,
         static_cast<double>(verdict.turns), 100 * agreement.value, 100 * agreement.low,
         100 * agreement.high, verdict.similarity, static_cast<double>(verdict.bad.size())});
  }
  return table;
}

void analyze(const AnalyzeOptions& options) {
  check(options);
  const Advisers advisers = advisers_of(options.nets, options.device);
  if (options.stdio) return answer_questions(options, pointers(advisers));
  const Analysis analysis = analysis_of(options, pointers(advisers));
  if (!options.out.empty()) {
    const bool english = options.language == "en";
    write_file_atomically(options.out, to_html(analysis, english ? analysis::Language::English
                                                                 : analysis::Language::Japanese));
  }
  if (options.json) return print(to_json(analysis));
  fmt::print("{}", report::text_table(verdict_table(analysis)));
  if (!options.out.empty()) fmt::print("report: {}\n", options.out.string());
}

void add_options(CLI::App& command, AnalyzeOptions& options) {
  command.add_option("GAME", options.game, "A record: mjlog, Tenhou JSON or mjai, plain or gzip");
  command.add_option("-o,--out", options.out, "The page, one HTML file");
  command
      .add_option("--net", options.nets,
                  "Whom to ask: heuristic, greedy, a checkpoint, or the folder of its run; up to "
                  "four side by side")
      ->take_all()
      ->capture_default_str();
  command
      .add_option("--device", options.device,
                  "What nets run on: cpu (eager PyTorch), ippatsu or ippatsu:N")
      ->capture_default_str();
  command.add_option("--language", options.language, "Of the page at first; it has a switch")
      ->check(CLI::IsMember({"ja", "en"}))
      ->capture_default_str();
  auto* seat = command.add_option("--seat", options.seat, "Only this seat's choices, 0 to 3")
                   ->check(CLI::Range(0, mahjong::kSeats - 1));
  command.add_option("--player", options.player, "Only this player's choices, by name")
      ->excludes(seat);
  command.add_option("--game", options.game_number, "Which game of a record that holds several")
      ->capture_default_str();
  command
      .add_option("--bad-below", options.bad_below,
                  "A choice that a model gives less than this is a bad move")
      ->capture_default_str();
  command.add_flag("--anonymise,--anonymous", options.anonymous,
                   "Call the players A, B, C and D, and leave the file's name out");
  auto* json = command.add_flag("--json", options.json, "Print JSON (docs/analysis-json.md)");
  command
      .add_flag("--stdio", options.stdio,
                "Answer questions, a JSON line each, on standard input (docs/analysis-json.md)")
      ->excludes(json);
}

}  // namespace

void add_analyze_command(CLI::App& app) {
  auto options = std::make_shared<AnalyzeOptions>();
  auto* command = app.add_subcommand(
      "analyze",
      "Look at a played game again: what models think of every choice, how far each player is "
      "from\nthem, and where the bad moves are; as a page with all boards, or as JSON.");
  command->footer(
      "Example:\n  ippatsu analyze game.mjlog --net runs/first --net heuristic -o report.html");
  add_options(*command, *options);
  command->callback([options] { analyze(*options); });
}

}  // namespace ippatsu::cli
