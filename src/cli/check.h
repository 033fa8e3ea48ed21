#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// `ippatsu check`: whether a TorchScript model is ready for the device. Ends the program's run with
// CLI::RuntimeError(kTroublesFound) where it is not.
void add_check_command(CLI::App& app);

inline constexpr int kTroublesFound = 3;

}  // namespace ippatsu::cli
