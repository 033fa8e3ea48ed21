#pragma once

// Programs compiled before, by fingerprint.

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "hlo/program.h"
#include "pjrt/executable.h"

namespace ippatsu::trace {

class ExecutableCache {
 public:
  using Compile = std::function<std::shared_ptr<const pjrt::Executable>()>;

  // The program of this fingerprint, compiled if it was not before. Counts either in the metrics.
  std::shared_ptr<const pjrt::Executable> get(const hlo::Fingerprint& fingerprint,
                                              const Compile& compile);

 private:
  std::unordered_map<hlo::Fingerprint, std::shared_ptr<const pjrt::Executable>> programs_;
};

}  // namespace ippatsu::trace
