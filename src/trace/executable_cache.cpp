#include "trace/executable_cache.h"

#include <chrono>

#include "trace/metrics.h"

namespace ippatsu::trace {

ExecutableCache::Found ExecutableCache::get(const hlo::Fingerprint& fingerprint,
                                            const Compile& compile) {
  if (const auto found = programs_.find(fingerprint); found != programs_.end()) {
    metrics_log().record([](Metrics& metrics) { ++metrics.cache_hits; });
    return {found->second, std::nullopt};
  }
  const auto start = std::chrono::steady_clock::now();
  auto program = compile();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  metrics_log().record([&](Metrics& metrics) {
    ++metrics.compiles;
    metrics.compile_seconds += seconds.count();
  });
  programs_.emplace(fingerprint, program);
  return {std::move(program), seconds.count()};
}

}  // namespace ippatsu::trace
