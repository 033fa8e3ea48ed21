#pragma once

#include <c10/core/Device.h>

namespace ippatsu::device {

// The device of this thread that "ippatsu" without an index means.
c10::DeviceIndex current_device();
void set_current_device(c10::DeviceIndex index);

void register_guard();

}  // namespace ippatsu::device
