#pragma once

#include <string>

#include "report/context.h"

namespace ippatsu::cli {

// The machine, the commit, the date and the command, as far as they can be known without loading a
// plugin: the workers say what they run on.
report::Context provenance(const std::string& command);

// The command line of this process.
std::string command_line();

}  // namespace ippatsu::cli
