#include "play/match.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"

namespace ippatsu::play {

namespace {

using namespace mahjong;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kFormat = 1;
constexpr double kConfidence = 0.95;

// The counters of a seat by the names that they have in files.
struct Counter {
  const char* name;
  int SeatRecord::*count;
};

constexpr Counter kCounters[] = {{"rounds", &SeatRecord::rounds},
                                 {"wins", &SeatRecord::wins},
                                 {"tsumo", &SeatRecord::tsumo},
                                 {"deal_ins", &SeatRecord::deal_ins},
                                 {"riichi", &SeatRecord::riichi},
                                 {"calling", &SeatRecord::calling},
                                 {"tenpai_at_draw", &SeatRecord::tenpai_at_draw},
                                 {"exhaustive_draws", &SeatRecord::exhaustive_draws}};

SeatRecord record_of(const ordered_json& json) {
  SeatRecord record;
  for (const Counter& counter : kCounters) record.*counter.count = json.at(counter.name);
  record.won_points = json.at("won_points");
  record.dealt_points = json.at("dealt_points");
  return record;
}

GameResult result_of(const PlayedGame& game) {
  GameResult result{
      .game = game.index, .rank = 0, .scores = game.scores, .records = {}, .fault = game.fault};
  if (!result.fault.empty()) return result;
  result.rank = game.rank[result.seat()];
  const std::array<SeatRecord, kSeats> records = seat_records(game.events);
  for (int seat = 0; seat < kSeats; ++seat)
    result.records[seat == result.seat() ? 0 : 1].add(records[seat]);
  return result;
}

ordered_json to_json(const GameResult& result) {
  ordered_json json{{"game", result.game}};
  if (!result.fault.empty()) {
    json["fault"] = result.fault;
    return json;
  }
  json["rank"] = result.rank + 1;
  json["scores"] = result.scores;
  json["player"] = play::to_json(result.records[0]);
  json["others"] = play::to_json(result.records[1]);
  return json;
}

GameResult result_of(const ordered_json& json) {
  GameResult result{.game = json.at("game"), .rank = 0, .scores = {}, .records = {}, .fault = {}};
  if (json.contains("fault")) {
    result.fault = json.at("fault");
    return result;
  }
  result.rank = json.at("rank").get<int>() - 1;
  if (result.rank < 0 || result.rank >= kSeats) fail("there is no rank {}", result.rank + 1);
  json.at("scores").get_to(result.scores);
  result.records = {record_of(json.at("player")), record_of(json.at("others"))};
  return result;
}

// The games of a match that are over, in memory and, where there is a folder, in its results.jsonl:
// a line that says which match it is, then a line a game.
class Ledger {
 public:
  Ledger(const Players& players, const MatchOptions& options)
      : games_(options.sets * kSeats),
        head_{{"format", kFormat},
              {"player", players[0]->name()},
              {"others", players[1]->name()},
              {"seed", options.seed}} {
    if (!options.folder) return;
    path_ = *options.folder / "results.jsonl";
    fs::create_directories(*options.folder);
    if (fs::exists(path_)) load();
    open();
  }

  bool has(size_t game) const { return games_[game].has_value(); }
  size_t done() const { return done_; }
  std::span<const std::optional<GameResult>> games() const { return games_; }

  void add(GameResult result) {
    if (file_.is_open()) file_ << to_json(result).dump() << '\n' << std::flush;
    if (file_.is_open() && !file_) fail("{}: cannot be written", path_.string());
    put(std::move(result));
  }

 private:
  void put(GameResult result) {
    const size_t game = result.game;
    if (game >= games_.size() || games_[game]) return;
    games_[game] = std::move(result);
    ++done_;
  }

  // A last line that was cut short by a crash is written anew.
  void load() {
    std::string text = read_file(path_);
    const size_t whole = text.rfind('\n') == text.npos ? 0 : text.rfind('\n') + 1;
    if (whole != text.size()) {
      text.resize(whole);
      write_file_atomically(path_, text);
    }
    size_t line = 0;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin);
      read_line(text.substr(begin, end - begin), ++line);
      begin = end + 1;
    }
    started_ = line > 0;
  }

  void read_line(const std::string& text, size_t line) try {
    const ordered_json json = ordered_json::parse(text);
    if (line > 1) return put(result_of(json));
    if (json != head_) fail("holds another match: {}; this one is {}", json.dump(), head_.dump());
  } catch (const ordered_json::exception&) {
    fail("{}: line {}: is no result of a game", path_.string(), line);
  } catch (const Error& error) {
    throw error.within(fmt::format("line {}", line)).within(path_.string());
  }

  void open() {
    file_.open(path_, std::ios::app);
    if (!started_) file_ << head_.dump() << '\n' << std::flush;
    if (!file_) fail("{}: cannot be written", path_.string());
  }

  std::vector<std::optional<GameResult>> games_;
  ordered_json head_;
  fs::path path_;
  std::ofstream file_;
  size_t done_ = 0;
  bool started_ = false;
};

Verdict judge(const Ledger& ledger) {
  Verdict verdict;
  const std::vector<RankCounts> sets = whole_sets(ledger.games());
  verdict.sets = sets.size();
  for (const std::optional<GameResult>& game : ledger.games()) {
    if (!game) continue;
    ++verdict.games;
    if (!game->fault.empty()) {
      if (++verdict.faults == 1) verdict.first_fault = game;
      continue;
    }
    ++verdict.ranks[game->rank];
    for (size_t side = 0; side < 2; ++side) verdict.records[side].add(game->records[side]);
  }
  if (!sets.empty()) verdict.strength = strength_of(sets);
  return verdict;
}

// The games to be played up to each look.
std::vector<size_t> looks(const MatchOptions& options) {
  const size_t sets = options.sets;
  if (!options.sequential) return {sets};
  std::vector<size_t> ends;
  for (const size_t share : {8U, 4U, 2U, 1U}) ends.push_back((sets + share - 1) / share);
  return ends;
}

bool is_decided(const Ledger& ledger, size_t looks) {
  const std::vector<RankCounts> sets = whole_sets(ledger.games());
  const double confidence = 1 - (1 - kConfidence) / static_cast<double>(looks);
  return !sets.empty() && bootstrap(sets, mean_rank_points, confidence).excludes(0);
}

}  // namespace

std::vector<RankCounts> whole_sets(std::span<const std::optional<GameResult>> games) {
  std::vector<RankCounts> sets;
  for (size_t first = 0; first + kSeats <= games.size(); first += kSeats) {
    RankCounts ranks{};
    bool whole = true;
    for (const auto& game : games.subspan(first, kSeats)) {
      whole = whole && game && game->fault.empty();
      if (whole) ++ranks[game->rank];
    }
    if (whole) sets.push_back(ranks);
  }
  return sets;
}

Verdict play_match(const Players& players, const MatchOptions& options,
                   const std::function<bool(size_t done, size_t all)>& progress,
                   const std::function<void(const PlayedGame&)>& keep) {
  if (options.sets == 0) fail("a match needs at least one set");
  const std::vector<PlannedGame> plan = duplicate_plan(options.sets, options.seed);
  Ledger ledger(players, options);
  const auto begin = std::chrono::steady_clock::now();
  size_t played = 0;
  bool stopped = false, decided = false;
  const std::vector<size_t> ends = looks(options);
  for (const size_t end : ends) {
    const size_t games = end * kSeats;
    play_games(
        std::span(plan).first(games), players, options.arena,
        [&](size_t game) { return !ledger.has(game); },
        [&](PlayedGame&& game) {
          ++played;
          if (keep) keep(game);
          ledger.add(result_of(game));
          stopped = progress && !progress(ledger.done(), plan.size());
          return !stopped;
        });
    decided = options.sequential && is_decided(ledger, ends.size());
    if (stopped || decided) break;
  }
  Verdict verdict = judge(ledger);
  verdict.stopped_early = verdict.sets < options.sets && decided;
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  verdict.games_played = played;
  return verdict;
}

ordered_json to_json(const Estimate& estimate) {
  // JSON has no infinity: a player that never came last has no stable dan.
  const auto number = [](double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
  };
  return {{"value", number(estimate.value)},
          {"low", number(estimate.low)},
          {"high", number(estimate.high)}};
}

ordered_json to_json(const SeatRecord& record) {
  ordered_json json;
  for (const Counter& counter : kCounters) json[counter.name] = record.*counter.count;
  json["won_points"] = record.won_points;
  json["dealt_points"] = record.dealt_points;
  return json;
}

}  // namespace ippatsu::play
