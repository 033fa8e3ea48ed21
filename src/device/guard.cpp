#include "device/guard.h"

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
// event has happened when the device has caught up.
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
  bool queryStream(const Stream&) const override { return false; }
  void synchronizeStream(const Stream& stream) const override {
    synchronizeDevice(stream.device_index());
  }
  void synchronizeDevice(DeviceIndex index) const override { Runtime::get().trace(index).wait(); }

  void record(void** event, const Stream& stream, DeviceIndex, c10::EventFlag) const override {
    if (*event == nullptr) *event = new DeviceIndex;
    *static_cast<DeviceIndex*>(*event) = stream.device_index();
  }
  void block(void*, const Stream&) const override {}  // in order anyway
  bool queryEvent(void* event) const override { return event == nullptr; }
  void synchronizeEvent(void* event) const override {
    if (event != nullptr) synchronizeDevice(*static_cast<DeviceIndex*>(event));
  }
  void destroyEvent(void* event, DeviceIndex) const noexcept override {
    delete static_cast<DeviceIndex*>(event);
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
