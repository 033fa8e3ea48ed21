#include "trace/metrics.h"

#include <fmt/format.h>

namespace ippatsu::trace {

Metrics MetricsLog::snapshot() const {
  const std::lock_guard lock(mutex_);
  return metrics_;
}

void MetricsLog::reset() {
  const std::lock_guard lock(mutex_);
  metrics_ = {};
}

MetricsLog& metrics_log() {
  static MetricsLog log;
  return log;
}

std::string to_text(const Metrics& metrics) {
  std::string text = fmt::format(
      "programs: {} run, {} compiled in {:.2f} s, {} found compiled\n"
      "host reads: {}; moved {:.1f} MB to the device, {:.1f} MB to the host\n",
      metrics.executions, metrics.compiles, metrics.compile_seconds, metrics.cache_hits,
      metrics.host_reads, static_cast<double>(metrics.bytes_to_device) / 1e6,
      static_cast<double>(metrics.bytes_to_host) / 1e6);
  if (metrics.fallbacks.empty()) return text + "no op fell back to the host\n";
  text += "ops that fell back to the host:\n";
  for (const auto& [op, fallback] : metrics.fallbacks) {
    text += fmt::format("  {}: {} times, {} bytes moved\n", op, fallback.count, fallback.bytes);
  }
  return text;
}

}  // namespace ippatsu::trace
