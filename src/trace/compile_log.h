#pragma once

// Why a program had to be compiled: in what it differs from the nearest one that the same place of
// the user's program had compiled before.

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "hlo/outline.h"

namespace ippatsu::trace {

class CompileLog {
 public:
  // Takes note of a program compiled at `site`, and says why. Warns, once a site, when it has
  // compiled as many as `limit()`.
  hlo::Difference explain(std::shared_ptr<const hlo::Outline> program, const std::string& site);

  // The number of programs at one site from which on something is probably wrong: 64, unless
  // IPPATSU_COMPILE_LIMIT says otherwise.
  static int64_t limit();

 private:
  struct Site {
    int64_t programs = 0;
    std::deque<std::shared_ptr<const hlo::Outline>> latest;
  };

  std::mutex mutex_;
  std::map<std::string, Site> sites_;
};

// The process's log.
CompileLog& compile_log();

}  // namespace ippatsu::trace
