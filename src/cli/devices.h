#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// `ippatsu devices`: the PJRT plugins on this machine, and the devices behind them.
void add_devices_command(CLI::App& app);

}  // namespace ippatsu::cli
