#include "cli/play_options.h"

#include <chrono>
#include <cmath>

#include "base/error.h"
#include "cli/players.h"

namespace ippatsu::cli {

namespace {

constexpr double kLongestTimeoutSeconds = 86'400;
constexpr int kMostBots = 1000;

void check(const PlayOptions& options) {
  if (options.arena.workers < 1) fail("--workers must be at least 1");
  if (options.arena.tables < 1) fail("--tables must be at least 1");
  if (!(options.bot_timeout_s >= 0.001 && options.bot_timeout_s <= kLongestTimeoutSeconds))
    fail("--bot-timeout must be from 0.001 to {} seconds", kLongestTimeoutSeconds);
}

}  // namespace

void add_play_options(CLI::App& command, PlayOptions& options) {
  command
      .add_option("--device", options.device,
                  "what nets run on: cpu (eager PyTorch), ippatsu or ippatsu:N")
      ->capture_default_str();
  command
      .add_option("--bot-timeout", options.bot_timeout_s,
                  "seconds that another program has for an answer; ten times that for its first")
      ->capture_default_str();
  command
      .add_option("--bots", options.bots.processes,
                  "processes of another program at once; by default one a core, and four at least")
      ->check(CLI::Range(1, kMostBots));
  command.add_option("--workers", options.arena.workers, "threads")->capture_default_str();
  command.add_option("--tables", options.arena.tables, "games that a thread plays at once")
      ->capture_default_str();
}

play::Players players_of(const std::vector<std::string>& names, PlayOptions options) {
  check(options);
  options.bots.timeout = std::chrono::milliseconds(std::llround(options.bot_timeout_s * 1000));
  play::Players players;
  for (const std::string& name : names)
    players.push_back(player_of(name, options.device, options.bots));
  return players;
}

}  // namespace ippatsu::cli
