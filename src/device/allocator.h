#pragma once

#include <c10/core/Allocator.h>

#include "trace/cell.h"

namespace ippatsu::device {

// Fails for more bytes than any device has: a size that somebody got wrong.
void check_allocatable(int64_t bytes);

// The memory of a storage on the device is a Cell: so many elements, not initialized.
c10::DataPtr allocate(trace::Trace& trace, c10::DeviceIndex index, hlo::DType dtype,
                      int64_t elements);

// What torch allocates storages with.
c10::Allocator* allocator();

void register_allocator();

}  // namespace ippatsu::device
