#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// `ippatsu bench naga`: training steps per second by batch size, beside eager PyTorch.
void add_bench_command(CLI::App& app);

}  // namespace ippatsu::cli
