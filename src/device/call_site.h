#pragma once

namespace ippatsu::device {

// Lets the trace know the place in Python or TorchScript that a thread is at.
void register_call_sites();

}  // namespace ippatsu::device
