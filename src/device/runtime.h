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
  // Starts the process's runtime. False if it runs already with these options; fails if with
  // others.
  static bool start(const InitializeOptions& options);

  // Fails if it was not started.
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

}  // namespace ippatsu::device
