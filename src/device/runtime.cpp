#include "device/runtime.h"

#include <atomic>
#include <mutex>

#include <pthread.h>

#include "base/error.h"
#include "base/log.h"

namespace ippatsu::device {

namespace {

std::mutex start_mutex;

// Never destroyed: tensors in static storage may outlive every other static, and need their trace.
std::atomic<Runtime*> running = nullptr;

InitializeOptions& for_first_use() {
  static InitializeOptions options;
  return options;
}

// The plugin's threads stay behind in the parent, so that a child can only wait for them forever.
bool is_forked_child = false;

void mark_child() { is_forked_child = running.load() != nullptr; }

}  // namespace

Runtime::Runtime(const InitializeOptions& options)
    : options_(options),
      client_(pjrt::Client::create(pjrt::Plugin::load(options.plugin, options.package_folders),
                                   options.create_options)) {
  for (const pjrt::Device& device : client_->devices()) traces_.emplace_back(client_, device);
  if (traces_.empty()) fail("the plugin {} has no device", client_->plugin().path().string());
  log().debug("{} devices of platform {} from {}", traces_.size(), client_->platform_name(),
              client_->plugin().path().string());
}

void Runtime::start(const InitializeOptions& options) {
  const std::lock_guard lock(start_mutex);
  const Runtime* started = running.load();
  if (started == nullptr) {
    pthread_atfork(nullptr, nullptr, mark_child);
    running.store(new Runtime(options));
    return;
  }
  const bool same = started->options_.plugin == options.plugin &&
                    started->options_.create_options == options.create_options;
  if (!same) {
    fail("ippatsu runs already with the plugin {}; one process has one plugin",
         started->client_->plugin().path().string());
  }
}

bool Runtime::is_started() { return running.load() != nullptr; }

Runtime& Runtime::get() {
  if (Runtime* started = running.load(std::memory_order_acquire)) return *started;
  start(for_first_use());
  return *running.load();
}

void Runtime::start_later(const InitializeOptions& options) { for_first_use() = options; }

trace::Trace& Runtime::trace(c10::DeviceIndex index) {
  if (is_forked_child) {
    fail(
        "the device was in use before this process was forked, and does not live on in it; start "
        "workers with the method `spawn`, or use the device only after the fork");
  }
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

c10::DeviceIndex available_devices() noexcept {
  try {
    return Runtime::get().device_count();
  } catch (const std::exception& error) {
    log().warn("the device ippatsu is not available: {}", error.what());
    return 0;
  }
}

}  // namespace ippatsu::device
