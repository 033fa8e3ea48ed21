#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// ippatsu bot: a player over standard input and output, in mjai.
void add_bot_command(CLI::App& app);

}  // namespace ippatsu::cli
