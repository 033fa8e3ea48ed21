#pragma once

namespace ippatsu::device {

// Makes `ippatsu` the name of a torch device and registers everything that torch asks of one. Later
// calls do nothing.
void register_backend();

}  // namespace ippatsu::device
