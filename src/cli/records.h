#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// `ippatsu records info`: what is in game records, and which of them are broken.
void add_records_command(CLI::App& app);

}  // namespace ippatsu::cli
