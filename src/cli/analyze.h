#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// `ippatsu analyze`: what models think of every choice in a game that was played.
void add_analyze_command(CLI::App& app);

}  // namespace ippatsu::cli
