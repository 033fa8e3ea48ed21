#pragma once

namespace ippatsu::device {

// Registers the ops that are about storage rather than values: creation, views, copies, resizing.
void register_native_ops();

}  // namespace ippatsu::device
