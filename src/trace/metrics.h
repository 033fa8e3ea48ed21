#pragma once

// What the device has done so far, for people who want to know why a step is slow.

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace ippatsu::trace {

struct Fallback {
  int64_t count = 0;
  int64_t bytes = 0;  // moved to the host and back
};

struct Metrics {
  int64_t compiles = 0;    // programs compiled
  int64_t cache_hits = 0;  // programs found compiled
  int64_t executions = 0;  // programs run
  double compile_seconds = 0;
  int64_t host_reads = 0;  // times the host waited for values
  int64_t bytes_to_device = 0;
  int64_t bytes_to_host = 0;
  std::map<std::string, Fallback> fallbacks;  // ops that ran on the host, by name
};

// Counters that any thread may add to.
class MetricsLog {
 public:
  template <typename Change>
  void record(Change change) {
    const std::lock_guard lock(mutex_);
    change(metrics_);
  }
  Metrics snapshot() const;
  void reset();

 private:
  mutable std::mutex mutex_;
  Metrics metrics_;
};

// The process's log.
MetricsLog& metrics_log();

// A few lines for people.
std::string to_text(const Metrics& metrics);

}  // namespace ippatsu::trace
