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
#include "records/check_record.h"
#include "records/read_record.h"

namespace ippatsu::cli {

namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::vector<fs::path> paths;
  bool json = false;
};

struct Findings {
  int64_t files = 0;
  mahjong::RecordCheck sums;  // without the differences
  std::vector<Complaint> differences;
  std::vector<Complaint> bad;  // files that cannot be read

  void add(const mahjong::Record& record) {
    const mahjong::RecordCheck check = check_record(record);
    sums.games += check.games;
    sums.three_player_games += check.three_player_games;
    sums.rounds += check.rounds;
    sums.wins += check.wins;
    sums.draws += check.draws;
    sums.walls += check.walls;
    for (const auto& [event, what] : check.differences) {
      const bool placed = event < record.events.size();
      differences.push_back(
          {record.source, placed ? record.where(record.events[event]) : "", what});
    }
  }
};

Findings findings(std::span<const fs::path> paths) {
  Findings findings;
  for (const fs::path& path : data::record_files(paths)) {
    ++findings.files;
    try {
      findings.add(mahjong::read_record(path));
    } catch (const std::exception& error) {
      findings.bad.push_back(complaint_of(path.string(), error.what()));
    }
  }
  return findings;
}

// "1 game", "2 games"
std::string counted(int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string summary(const Findings& found) {
  const mahjong::RecordCheck& sums = found.sums;
  return fmt::format(
      "{}, {}, {}, {}, {} known, {}{}", counted(sums.games, "game"), counted(sums.rounds, "round"),
      counted(sums.wins, "win"), counted(sums.draws, "draw"), counted(sums.walls, "wall"),
      counted(static_cast<int64_t>(found.differences.size()), "difference"),
      found.bad.empty()
          ? ""
          : ", " + counted(static_cast<int64_t>(found.bad.size()), "file") + " not readable");
}

void print_for_people(const Findings& found) {
  std::cout << summary(found) << "\n";
  if (found.sums.three_player_games > 0)
    std::cout << fmt::format(
        "Of {} with three players only what is possible was checked, not the payments.\n",
        counted(found.sums.three_player_games, "game"));
  for (const auto* complaints : {&found.differences, &found.bad})
    for (const Complaint& complaint : *complaints) std::cout << text_of(complaint) << "\n";
}

void print_json(const Findings& found) {
  const mahjong::RecordCheck& sums = found.sums;
  print({{"files", found.files},
         {"games", sums.games},
         {"three_player_games", sums.three_player_games},
         {"rounds", sums.rounds},
         {"wins", sums.wins},
         {"draws", sums.draws},
         {"walls", sums.walls},
         {"differences", json_of(found.differences)},
         {"bad", json_of(found.bad)}});
}

void run(const CheckOptions& options) {
  const Findings found = findings(options.paths);
  if (options.json)
    print_json(found);
  else
    print_for_people(found);
  if (!found.differences.empty() || !found.bad.empty())
    fail("of {} some do not keep to the rules or cannot be read",
         counted(found.files, "record file"));
}

}  // namespace

void add_records_check(CLI::App& records) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* check = records.add_subcommand(
      "check",
      "Hold game records to the rules: is every event possible, has every win the yaku, fu and\n"
      "points that it should, are all payments right, do rounds and games end as they must? Where\n"
      "a record tells its seed, walls are dealt again. Each difference is listed with its place.\n"
      "The exit code is 0 unless there is one, a file cannot be read, or none was found.");
  check
      ->add_option("paths", options->paths,
                   "Files, and folders that are searched with all below them")
      ->required();
  check->add_flag("--json", options->json,
                  "Print JSON: files, games, three_player_games, rounds, wins, draws, walls,\n"
                  "differences, bad");
  check->callback([options] { run(*options); });
}

}  // namespace ippatsu::cli
