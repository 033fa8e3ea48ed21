#pragma once

// A match of one player against three of another over sets of equal walls: what was played, kept on
// disk as it ends, and what it says.

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "play/arena.h"
#include "play/statistics.h"

namespace ippatsu::play {

struct MatchOptions {
  size_t sets = 100;
  uint64_t seed = 1;
  ArenaOptions arena;
  std::optional<std::filesystem::path> folder = {};  // results.jsonl; continued where it was left
  // Stop at a look as soon as the interval of the mean rank points excludes 0. Looks come when 1/8,
  // 1/4, 1/2 and all of the sets are played; each interval is at 1 - 0.05 / 4, so that all looks
  // together err in at most 5 % of matches between equals (Bonferroni).
  bool sequential = false;
};

// A finished game, from the first player's side.
struct GameResult {
  size_t game;
  int rank;                           // 0..3
  mahjong::Scores scores;             // by seat
  std::array<SeatRecord, 2> records;  // the player's; those of the other three together
  std::string fault;

  int seat() const { return static_cast<int>(game % mahjong::kSeats); }
};

struct Verdict {
  size_t sets = 0;
  size_t games = 0;
  size_t faults = 0;  // games that a player's failure ended; their sets do not count
  std::optional<GameResult> first_fault = {};
  RankCounts ranks{};
  Strength strength;
  std::array<SeatRecord, 2> records{};
  bool stopped_early = false;
  double seconds = 0;       // of this run
  size_t games_played = 0;  // in this run
};

// Plays what the folder does not hold yet. `progress` hears of each game that ends; saying no
// stops. `keep`, where given, gets each whole game.
Verdict play_match(const Players& players, const MatchOptions& options,
                   const std::function<bool(size_t done, size_t all)>& progress,
                   const std::function<void(const PlayedGame&)>& keep = {});

// Whole sets without a fault, in order.
std::vector<RankCounts> whole_sets(std::span<const std::optional<GameResult>> games);

nlohmann::ordered_json to_json(const Estimate& estimate);
nlohmann::ordered_json to_json(const SeatRecord& record);

}  // namespace ippatsu::play
