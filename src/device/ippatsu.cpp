#include "device/ippatsu.h"

#include "base/error.h"
#include "device/backend.h"
#include "device/fallback.h"
#include "device/runtime.h"

namespace ippatsu {

void initialize(const InitializeOptions& options) {
  device::Runtime::start(options);
  device::register_backend();
}

void register_device(const InitializeOptions& options) {
  device::Runtime::start_later(options);
  device::register_backend();
}

PluginInfo plugin_info() {
  const pjrt::Client& client = device::Runtime::get().client();
  const pjrt::ApiVersion api = client.plugin().api_version();
  return {.path = client.plugin().path().string(),
          .version = fmt::format("PJRT {}.{}, {}", api.major, api.minor, client.platform_version()),
          .platform = client.platform_name(),
          .devices = device::Runtime::get().device_count()};
}

void sync() { device::Runtime::get().sync(); }
void wait() { device::Runtime::get().wait(); }

Metrics metrics() { return trace::metrics_log().snapshot(); }
void reset_metrics() { trace::metrics_log().reset(); }
std::string metrics_report() { return trace::to_text(metrics()); }

void strict(bool on) { device::set_strict(on); }

}  // namespace ippatsu
