#pragma once

namespace ippatsu::device {

// Makes `ippatsu` the name of a torch device and registers everything that torch asks of one. Once.
void register_backend();

}  // namespace ippatsu::device
