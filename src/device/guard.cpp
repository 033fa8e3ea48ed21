#include "device/guard.h"

#include <chrono>

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "device/runtime.h"

namespace ippatsu::device {

namespace {

using c10::Device;
using c10::DeviceIndex;
using c10::DeviceType;
using c10::Stream;

constexpr DeviceType kType = DeviceType::PrivateUse1;

thread_local DeviceIndex current_index = 0;

Stream default_stream(Device device) {
  return Stream(Stream::DEFAULT,
                Device(kType, device.has_index() ? device.index() : current_index));
}

// A device runs its programs in the order in which they were recorded: it has one stream, and an
// event has happened when the device has caught up. One that tells the time has waited for that.
struct Event {
  DeviceIndex device;
  std::chrono::steady_clock::time_point time;
};

const Event& as_event(void* event) { return *static_cast<const Event*>(event); }

class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
  DeviceType type() const override { return kType; }

  Device exchangeDevice(Device device) const override {
    const Device before = getDevice();
    setDevice(device);
    return before;
  }
  Device getDevice() const override { return {kType, current_index}; }
  void setDevice(Device device) const override { set_current_device(device.index()); }
  void uncheckedSetDevice(Device device) const noexcept override {
    if (device.has_index()) current_index = device.index();
  }
  DeviceIndex deviceCount() const noexcept override { return available_devices(); }

  Stream getStream(Device device) const override { return default_stream(device); }
  Stream getDefaultStream(Device device) const override { return default_stream(device); }
  Stream getNewStream(Device device, int) const override { return default_stream(device); }
  Stream getStreamFromGlobalPool(Device device, bool) const override {
    return default_stream(device);
  }
  Stream exchangeStream(Stream stream) const override { return default_stream(stream.device()); }
  bool queryStream(const Stream& stream) const override {
    return Runtime::get().trace(stream.device_index()).is_done();
  }
  void synchronizeStream(const Stream& stream) const override {
    synchronizeDevice(stream.device_index());
  }
  void synchronizeDevice(DeviceIndex index) const override { Runtime::get().trace(index).wait(); }

  void record(void** event, const Stream& stream, DeviceIndex, c10::EventFlag flag) const override {
    if (flag == c10::EventFlag::BACKEND_DEFAULT) synchronizeDevice(stream.device_index());
    if (*event == nullptr) *event = new Event;
    *static_cast<Event*>(*event) = {stream.device_index(), std::chrono::steady_clock::now()};
  }
  void block(void*, const Stream&) const override {}  // in order anyway
  bool queryEvent(void* event) const override {
    return event == nullptr || Runtime::get().trace(as_event(event).device).is_done();
  }
  void synchronizeEvent(void* event) const override {
    if (event != nullptr) synchronizeDevice(as_event(event).device);
  }
  double elapsedTime(void* start, void* end, DeviceIndex) const override {
    const std::chrono::duration<double, std::milli> passed =
        as_event(end).time - as_event(start).time;
    return passed.count();
  }
  void destroyEvent(void* event, DeviceIndex) const noexcept override {
    delete static_cast<Event*>(event);
  }
};

}  // namespace

DeviceIndex current_device() { return current_index; }

void set_current_device(DeviceIndex index) {
  if (index < 0) return;
  Runtime::get().trace(index);  // fails if there is none
  current_index = index;
}

void register_guard() {
  static const Guard guard;
  static const c10::impl::DeviceGuardImplRegistrar registrar(kType, &guard);
}

}  // namespace ippatsu::device
