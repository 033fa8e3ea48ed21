#include "device/runtime.h"

#include <mutex>

#include "base/error.h"
#include "base/log.h"

namespace ippatsu::device {

namespace {

std::mutex start_mutex;

// Never destroyed: tensors in static storage may outlive every other static, and need their trace.
Runtime* runtime = nullptr;

}  // namespace

Runtime::Runtime(const InitializeOptions& options)
    : options_(options),
      client_(pjrt::Client::create(pjrt::Plugin::load(options.plugin), options.create_options)) {
  for (const pjrt::Device& device : client_->devices()) traces_.emplace_back(client_, device);
  if (traces_.empty()) fail("the plugin {} has no device", client_->plugin().path().string());
  log().debug("{} devices of platform {} from {}", traces_.size(), client_->platform_name(),
              client_->plugin().path().string());
}

bool Runtime::start(const InitializeOptions& options) {
  const std::lock_guard lock(start_mutex);
  if (runtime == nullptr) {
    runtime = new Runtime(options);
    return true;
  }
  const bool same = runtime->options_.plugin == options.plugin &&
                    runtime->options_.create_options == options.create_options;
  if (!same) {
    fail("ippatsu runs already with the plugin {}; one process has one plugin",
         runtime->client_->plugin().path().string());
  }
  return false;
}

Runtime& Runtime::get() {
  if (runtime == nullptr) fail("the device is not there yet; call ippatsu::initialize() first");
  return *runtime;
}

trace::Trace& Runtime::trace(c10::DeviceIndex index) {
  if (index >= device_count())
    fail("there is no device ippatsu:{}; there are {} (from ippatsu:0)", index, device_count());
  return traces_[static_cast<size_t>(index < 0 ? 0 : index)];
}

void Runtime::sync() {
  for (trace::Trace& trace : traces_) trace.sync();
}

void Runtime::wait() {
  for (trace::Trace& trace : traces_) trace.wait();
}

}  // namespace ippatsu::device
