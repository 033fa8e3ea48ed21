#pragma once

// The plugin in use, its devices, and the trace of each.

#include <deque>
#include <memory>

#include <c10/core/Device.h>

#include "device/ippatsu.h"
#include "trace/trace.h"

namespace ippatsu::device {

class Runtime {
 public:
  // Starts the process's runtime, if it does not run already with these options. Fails if it runs
  // with others.
  static void start(const InitializeOptions& options);

  // What to start it with when it is first used.
  static void start_later(const InitializeOptions& options);

  static bool is_started();

  // Starts it if nobody has. Fails if that fails.
  static Runtime& get();

  const pjrt::Client& client() const { return *client_; }
  c10::DeviceIndex device_count() const { return static_cast<c10::DeviceIndex>(traces_.size()); }

  // The trace of device `index`; -1 means the first. Fails if there is no such device.
  trace::Trace& trace(c10::DeviceIndex index);

  void sync();
  void wait();

 private:
  explicit Runtime(const InitializeOptions& options);

  InitializeOptions options_;
  std::shared_ptr<const pjrt::Client> client_;
  std::deque<trace::Trace> traces_;
};

// How many devices there are; 0, with a word in the log, where no plugin can be loaded.
c10::DeviceIndex available_devices() noexcept;

}  // namespace ippatsu::device
