#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace ippatsu::cli {

// "17 of 40 games" on a terminal's error stream, rewritten as the count goes up; elsewhere nothing.
class ProgressLine {
 public:
  explicit ProgressLine(std::string_view what);

  void show(size_t done, size_t all);

 private:
  std::string_view what_;
  bool terminal_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace ippatsu::cli
