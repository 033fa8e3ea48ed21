#pragma once

#include <CLI/CLI.hpp>

namespace ippatsu::cli {

// `ippatsu train naga`: trains NAGA on game records; and the hidden `bench-worker`, which takes
// steps on request for `ippatsu bench` and `ippatsu run`.
void add_train_command(CLI::App& app);

}  // namespace ippatsu::cli
