#include "train/progress.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace ippatsu::train {

namespace {

constexpr std::chrono::milliseconds kTerminalPeriod{200};
constexpr std::chrono::seconds kLogPeriod{5};

std::string duration(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Progress(int64_t total, int64_t done)
    : total_(total), first_(done), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (open_line_) std::fputc('\n', stderr);
}

std::string Progress::line(const Figures& figures, Clock::time_point now) const {
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const auto done = static_cast<double>(figures.step - first_),
             left = static_cast<double>(total_ - figures.step);
  const std::string eta = done > 0 ? duration(elapsed / done * left) : "?";
  const std::string speed = std::isnan(figures.samples_per_second)
                                ? "compiling"
                                : fmt::format("{:.0f} samples/s", figures.samples_per_second);
  return fmt::format("step {}/{}  loss {:.4f}  {}  data wait {:.1f} %  ETA {}", figures.step,
                     total_, figures.loss, speed, 100 * figures.data_wait_share, eta);
}

void Progress::show(const Figures& figures) {
  const auto now = Clock::now();
  if (now < next_ && figures.step < total_) return;
  next_ = now + (terminal_ ? Clock::duration(kTerminalPeriod) : Clock::duration(kLogPeriod));
  const std::string text = line(figures, now);
  std::fputs((terminal_ ? "\r" + text + "\x1b[K" : text + "\n").c_str(), stderr);
  open_line_ = terminal_;
}

}  // namespace ippatsu::train
