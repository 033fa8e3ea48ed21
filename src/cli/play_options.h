#pragma once

// What every command that plays games lets its user choose.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "play/arena.h"
#include "play/mjai_player.h"

namespace ippatsu::cli {

struct PlayOptions {
  std::string device = "ippatsu";  // of nets
  play::BotOptions bots;
  double bot_timeout_s = 10;
  play::ArenaOptions arena;
};

void add_play_options(CLI::App& command, PlayOptions& options);

// The players of these names. Fails where an option makes no sense or there is no such player.
play::Players players_of(const std::vector<std::string>& names, PlayOptions options);

}  // namespace ippatsu::cli
