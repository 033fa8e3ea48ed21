#pragma once

#include <c10/core/Allocator.h>

#include "trace/cell.h"

namespace ippatsu::device {

// The memory of a storage on the device is a Cell; `bytes` of it, not initialized.
c10::DataPtr allocate(trace::Trace& trace, c10::DeviceIndex index, hlo::DType dtype,
                      int64_t elements);

// What torch allocates storages with.
c10::Allocator* allocator();

void register_allocator();

}  // namespace ippatsu::device
