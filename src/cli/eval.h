#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// ippatsu eval: one player against three of another, with intervals.
void add_eval_command(CLI::App& app);

}  // namespace ippatsu::cli
