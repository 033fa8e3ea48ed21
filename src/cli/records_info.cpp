#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/complaint.h"
#include "cli/records.h"
#include "data/record_files.h"
#include "records/read_record.h"
#include "records/replay.h"

namespace ippatsu::cli {

namespace {

namespace fs = std::filesystem;

struct InfoOptions {
  std::vector<fs::path> paths;
  bool json = false;
};

// What is in the files that are whole; `files` counts the others, too.
struct Counts {
  int64_t files = 0;
  int64_t games = 0;
  int64_t rounds = 0;
  int64_t decisions = 0;      // among discards
  int64_t other_choices = 0;  // riichi, calls, kans, wins, and passing
  int64_t wins = 0;
  int64_t draws = 0;

  void add(const Counts& other) {
    games += other.games;
    rounds += other.rounds;
    decisions += other.decisions;
    other_choices += other.other_choices;
    wins += other.wins;
    draws += other.draws;
  }
};

struct Survey {
  Counts counts;
  std::vector<Complaint> bad;
};

Counts count(const mahjong::Record& record) {
  Counts counts;
  mahjong::Replayer replayer(record);
  while (const mahjong::Decision* decision = replayer.next())
    ++(decision->among_discards() ? counts.decisions : counts.other_choices);
  for (const mahjong::RecordedEvent& recorded : record.events) {
    counts.games += std::holds_alternative<mahjong::StartGame>(recorded.event);
    counts.rounds += std::holds_alternative<mahjong::StartRound>(recorded.event);
    counts.wins += std::holds_alternative<mahjong::Win>(recorded.event);
    counts.draws += std::holds_alternative<mahjong::RoundDraw>(recorded.event);
  }
  return counts;
}

Survey survey(std::span<const fs::path> paths) {
  Survey survey;
  for (const fs::path& path : data::record_files(paths)) {
    ++survey.counts.files;
    try {
      survey.counts.add(count(mahjong::read_record(path)));
    } catch (const std::exception& error) {
      survey.bad.push_back(complaint_of(path.string(), error.what()));
    }
  }
  return survey;
}

void print_json(const Survey& survey) {
  const Counts& counts = survey.counts;
  print({{"files", counts.files},
         {"games", counts.games},
         {"rounds", counts.rounds},
         {"decisions", counts.decisions},
         {"other_choices", counts.other_choices},
         {"wins", counts.wins},
         {"draws", counts.draws},
         {"bad", json_of(survey.bad)}});
}

void print_for_people(const Survey& survey) {
  const Counts& counts = survey.counts;
  std::cout << fmt::format(
      "{:>10} files\n{:>10} games\n{:>10} rounds\n{:>10} decisions\n"
      "{:>10} other choices\n{:>10} wins\n{:>10} draws\n{:>10} bad files\n",
      counts.files, counts.games, counts.rounds, counts.decisions, counts.other_choices,
      counts.wins, counts.draws, survey.bad.size());
  for (const Complaint& bad : survey.bad) std::cout << text_of(bad) << "\n";
}

void run(const InfoOptions& options) {
  const Survey result = survey(options.paths);
  if (options.json)
    print_json(result);
  else
    print_for_people(result);
  if (!result.bad.empty())
    fail("{} of {} record files cannot be used", result.bad.size(), result.counts.files);
}

}  // namespace

void add_records_info(CLI::App& records) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* info = records.add_subcommand(
      "info",
      "Count what is in game records (Tenhou mjlog, Tenhou JSON, mjai JSON lines; plain or gzip).\n"
      "Bad files are listed with the place where they went wrong and counted under files only; "
      "the\n"
      "rest go on. The exit code is 0 unless a file was bad or none was found.");
  info->add_option("paths", options->paths,
                   "Files, and folders that are searched with all below them")
      ->required();
  info->add_flag("--json", options->json,
                 "Print JSON: files, games, rounds, decisions (among discards), other_choices, "
                 "wins (two for a "
                 "double ron), draws, bad");
  info->callback([options] { run(*options); });
}

}  // namespace ippatsu::cli
