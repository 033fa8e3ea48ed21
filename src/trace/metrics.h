#pragma once

// What the device has done so far, for people who want to know why a step is slow.

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace ippatsu::trace {

struct Fallback {
  int64_t count = 0;
  int64_t bytes = 0;       // moved to the host and back
  std::string first_site;  // in the user's program, if known
};

// An operator whose result is as large as values decide: each time the host waited for its size.
struct SizeRead {
  int64_t count = 0;
  std::string first_site;
};

// The programs that one place in the user's program compiled.
struct SiteCompiles {
  int64_t count = 0;
  double seconds = 0;
  std::string last_reason;
};

struct Metrics {
  int64_t compiles = 0;    // programs compiled
  int64_t cache_hits = 0;  // programs found compiled
  int64_t executions = 0;  // programs run
  double compile_seconds = 0;
  int64_t host_reads = 0;  // times the host waited for values
  int64_t bytes_to_device = 0;
  int64_t bytes_to_host = 0;
  int64_t peak_device_bytes = 0;  // held by tensors at once, temporaries of programs aside
  std::map<std::string, Fallback> fallbacks;          // ops that ran on the host, by name
  std::map<std::string, SizeRead> size_reads;         // ops that waited for a size, by name
  std::map<std::string, SiteCompiles> compile_sites;  // by place
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
