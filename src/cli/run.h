#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// `ippatsu run`: the whole way once: training on the device and on eager PyTorch, the throughput
// sweep, the report.
void add_run_command(CLI::App& app);

}  // namespace ippatsu::cli
