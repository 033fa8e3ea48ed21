#pragma once

namespace ippatsu::device {

// Registers the operators whose results are as large as the values in their arguments decide.
void register_sized_ops();

}  // namespace ippatsu::device
