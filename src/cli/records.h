#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// `ippatsu records`, and its subcommands, a file each.
void add_records_command(CLI::App& app);

// `info`: what is in game records, and which of them are broken.
void add_records_info(CLI::App& records);

// `check`: whether they keep to the rules.
void add_records_check(CLI::App& records);

// `convert`: into another format.
void add_records_convert(CLI::App& records);

}  // namespace ippatsu::cli
