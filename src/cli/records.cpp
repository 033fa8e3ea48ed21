#include "cli/records.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "data/record_files.h"
#include "records/read_record.h"
#include "records/replay.h"

namespace ippatsu::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct RecordsOptions {
  std::vector<fs::path> paths;
  bool json = false;
};

// What is in the files that are whole; `files` counts the others, too.
struct Counts {
  int64_t files = 0;
  int64_t games = 0;
  int64_t rounds = 0;
  int64_t decisions = 0;
  int64_t wins = 0;
  int64_t draws = 0;

  void add(const Counts& other) {
    games += other.games;
    rounds += other.rounds;
    decisions += other.decisions;
    wins += other.wins;
    draws += other.draws;
  }
};

struct BadFile {
  std::string file;
  std::string where;  // "line 7"; empty where the whole file is meant
  std::string message;
};

struct Survey {
  Counts counts;
  std::vector<BadFile> bad;
};

Counts count(const mahjong::Record& record) {
  Counts counts;
  mahjong::Replayer replayer(record);
  while (replayer.next()) ++counts.decisions;
  for (const mahjong::RecordedEvent& recorded : record.events) {
    counts.games += std::holds_alternative<mahjong::StartGame>(recorded.event);
    counts.rounds += std::holds_alternative<mahjong::StartRound>(recorded.event);
    counts.wins += std::holds_alternative<mahjong::Win>(recorded.event);
    counts.draws += std::holds_alternative<mahjong::RoundDraw>(recorded.event);
  }
  return counts;
}

// Takes a reader's "file: line 7: message" apart.
BadFile bad_file(const std::string& file, std::string_view message) {
  if (message.starts_with(file + ": ")) message.remove_prefix(file.size() + 2);
  const size_t colon = message.find(": ");
  for (const std::string_view unit : {"byte ", "line ", "event ", "round "})
    if (message.starts_with(unit) && colon != message.npos)
      return {file, std::string(message.substr(0, colon)), std::string(message.substr(colon + 2))};
  return {file, "", std::string(message)};
}

Survey survey(std::span<const fs::path> paths) {
  Survey survey;
  for (const fs::path& path : data::record_files(paths)) {
    ++survey.counts.files;
    try {
      survey.counts.add(count(mahjong::read_record(path)));
    } catch (const std::exception& error) {
      survey.bad.push_back(bad_file(path.string(), error.what()));
    }
  }
  return survey;
}

void print_json(const Survey& survey) {
  const Counts& counts = survey.counts;
  ordered_json bad = ordered_json::array();
  for (const BadFile& file : survey.bad)
    bad.push_back({{"file", file.file}, {"where", file.where}, {"message", file.message}});
  const ordered_json result{{"files", counts.files},   {"games", counts.games},
                            {"rounds", counts.rounds}, {"decisions", counts.decisions},
                            {"wins", counts.wins},     {"draws", counts.draws},
                            {"bad", std::move(bad)}};
  // A broken file may put any bytes into its message.
  std::cout << result.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

void print_for_people(const Survey& survey) {
  const Counts& counts = survey.counts;
  std::cout << fmt::format(
      "{:>10} files\n{:>10} games\n{:>10} rounds\n{:>10} decisions\n{:>10} wins\n{:>10} draws\n"
      "{:>10} bad files\n",
      counts.files, counts.games, counts.rounds, counts.decisions, counts.wins, counts.draws,
      survey.bad.size());
  for (const BadFile& file : survey.bad)
    std::cout << fmt::format("{}: {}{}{}\n", file.file, file.where, file.where.empty() ? "" : ": ",
                             file.message);
}

void run(const RecordsOptions& options) {
  const Survey result = survey(options.paths);
  if (options.json)
    print_json(result);
  else
    print_for_people(result);
  if (!result.bad.empty())
    fail("{} of {} record files cannot be used", result.bad.size(), result.counts.files);
}

void add_info(CLI::App& records) {
  auto options = std::make_shared<RecordsOptions>();
  CLI::App* info = records.add_subcommand(
      "info",
      "Count what is in game records (Tenhou mjlog, Tenhou JSON, mjai JSON lines; plain or gzip).\n"
      "Bad files are listed with the place where they went wrong and counted under files only; "
      "the\n"
      "rest go on. The exit code is 0 unless a file was bad or none was found.");
  info->add_option("paths", options->paths,
                   "Files, and folders that are searched with all below them")
      ->required();
  info->add_flag(
      "--json", options->json,
      "Print JSON: files, games, rounds, decisions, wins (two for a double ron), draws, bad");
  info->callback([options] { run(*options); });
}

}  // namespace

void add_records_command(CLI::App& app) {
  CLI::App* records = app.add_subcommand("records", "Work with game records");
  records->require_subcommand(1);
  add_info(*records);
}

}  // namespace ippatsu::cli
