#pragma once

// Operators whose results are as large as the values in their arguments decide. Everything is
// computed on the device, at the greatest size it can have; one number, the size, is read.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace ippatsu::device {

// Registers them.
void register_sized_ops();

// The number that decides how large the result of `op` is: a tensor of one element. Runs what is
// pending, and waits. Every operator of this kind reads once, through here.
int64_t read_size(const char* op, const at::Tensor& count);

}  // namespace ippatsu::device
