#pragma once

namespace ippatsu::device {

// What torch's engine, generators and storages ask about the accelerator.
void register_hooks();

}  // namespace ippatsu::device
