#pragma once

// The line that a person watches while a run goes on: rewritten in place on a terminal, a line
// every few seconds elsewhere.

#include <chrono>
#include <cstdint>
#include <string>

namespace ippatsu::train {

class Progress {
 public:
  // `total` steps, of which `done` were done before.
  Progress(int64_t total, int64_t done);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  struct Figures {
    int64_t step = 0;
    double loss = 0;
    double samples_per_second = 0;
    double data_wait_share = 0;  // 0..1
  };
  // Shows the figures if it is time to.
  void show(const Figures& figures);

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const Figures& figures, Clock::time_point now) const;

  int64_t total_;
  int64_t first_;
  bool terminal_;
  bool open_line_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
};

}  // namespace ippatsu::train
