#include "trace/metrics.h"

#include <fmt/format.h>

#include "pjrt/memory_use.h"

namespace ippatsu::trace {

Metrics MetricsLog::snapshot() const {
  const std::lock_guard lock(mutex_);
  Metrics copy = metrics_;
  copy.peak_device_bytes = pjrt::MemoryUse::peak_bytes();
  return copy;
}

void MetricsLog::reset() {
  const std::lock_guard lock(mutex_);
  metrics_ = {};
  pjrt::MemoryUse::forget_peak();
}

MetricsLog& metrics_log() {
  static MetricsLog log;
  return log;
}

namespace {

std::string at(const std::string& site) { return site.empty() ? "" : ", first at " + site; }

std::string fallbacks_text(const Metrics& metrics) {
  if (metrics.fallbacks.empty()) return "no op fell back to the host\n";
  std::string text = "ops that fell back to the host:\n";
  for (const auto& [op, fallback] : metrics.fallbacks) {
    text += fmt::format("  {}: {} times, {} bytes moved{}\n", op, fallback.count, fallback.bytes,
                        at(fallback.first_site));
  }
  return text;
}

std::string size_reads_text(const Metrics& metrics) {
  if (metrics.size_reads.empty()) return "";
  std::string text = "ops that waited for the size of their result:\n";
  for (const auto& [op, read] : metrics.size_reads)
    text += fmt::format("  {}: {} times{}\n", op, read.count, at(read.first_site));
  return text;
}

std::string compiles_text(const Metrics& metrics) {
  std::string text;
  for (const auto& [site, compiles] : metrics.compile_sites) {
    if (compiles.count < 2) continue;
    text +=
        fmt::format("  {}: {} programs, the last because {}\n",
                    site.empty() ? "an unknown place" : site, compiles.count, compiles.last_reason);
  }
  return text.empty() ? "" : "places that compiled more than one program:\n" + text;
}

}  // namespace

std::string to_text(const Metrics& metrics) {
  return fmt::format(
             "programs: {} run, {} compiled in {:.2f} s, {} found compiled\n"
             "host reads: {}; moved {:.1f} MB to the device, {:.1f} MB to the host\n"
             "tensors on the device: at most {:.1f} MB at once\n",
             metrics.executions, metrics.compiles, metrics.compile_seconds, metrics.cache_hits,
             metrics.host_reads, static_cast<double>(metrics.bytes_to_device) / 1e6,
             static_cast<double>(metrics.bytes_to_host) / 1e6,
             static_cast<double>(metrics.peak_device_bytes) / 1e6) +
         compiles_text(metrics) + size_reads_text(metrics) + fallbacks_text(metrics);
}

}  // namespace ippatsu::trace
