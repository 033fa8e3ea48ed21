#pragma once

// Registers every row for the device, and with it every op that does the same in place or into an
// `out=` argument: an op whose schema, without the mutated outputs, is the row's.

namespace ippatsu::device {

// Fails if a row names no ATen op, or if two rows name the same.
void register_rows();

}  // namespace ippatsu::device
