#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// `ippatsu selfplay`: games of players among each other, and how they did.
void add_selfplay_command(CLI::App& app);

// `ippatsu records generate`: the same games, for the records alone.
void add_records_generate(CLI::App& records);

}  // namespace ippatsu::cli
