#include "device/ippatsu.h"

#include "base/error.h"
#include "device/backend.h"
#include "device/fallback.h"
#include "device/runtime.h"

namespace ippatsu {

void initialize(const InitializeOptions& options) {
  if (!device::Runtime::start(options)) return;
  device::register_backend();
}

void sync() { device::Runtime::get().sync(); }
void wait() { device::Runtime::get().wait(); }

Metrics metrics() { return trace::metrics_log().snapshot(); }
void reset_metrics() { trace::metrics_log().reset(); }
std::string report() { return trace::to_text(metrics()); }

void strict(bool on) { device::set_strict(on); }

}  // namespace ippatsu
