#include "cli/progress_line.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace ippatsu::cli {

constexpr std::chrono::milliseconds kPeriod{200};

ProgressLine::ProgressLine(std::string_view what)
    : what_(what), terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(size_t done, size_t all) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || (now < next_ && done < all)) return;
  next_ = now + kPeriod;
  fmt::print(stderr, "\r{} of {} {}{}", done, all, what_, done == all ? "\n" : "");
}

}  // namespace ippatsu::cli
