#pragma once

// The port check of a TorchScript file: some steps on the device, one on the CPU.

#include <filesystem>
#include <vector>

#include "check/input_spec.h"
#include "check/report.h"

namespace ippatsu::cli {

struct ScriptCheckOptions {
  std::filesystem::path model;
  std::vector<check::InputSpec> inputs;
  int64_t steps = 4;
  bool backward = true;
  double tolerance = 1e-3;
};

// The device must be initialized.
check::Report check_script(const ScriptCheckOptions& options);

}  // namespace ippatsu::cli
