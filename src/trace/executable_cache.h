#pragma once

// Programs compiled before, by fingerprint.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "hlo/program.h"
#include "pjrt/executable.h"

namespace ippatsu::trace {

class ExecutableCache {
 public:
  using Compile = std::function<std::shared_ptr<const pjrt::Executable>()>;

  struct Found {
    std::shared_ptr<const pjrt::Executable> program;
    std::optional<double> compile_seconds;  // none: it was compiled before
  };

  // The program of this fingerprint, compiled if it was not before. Counts either in the metrics.
  Found get(const hlo::Fingerprint& fingerprint, const Compile& compile);

 private:
  std::unordered_map<hlo::Fingerprint, std::shared_ptr<const pjrt::Executable>> programs_;
};

}  // namespace ippatsu::trace
