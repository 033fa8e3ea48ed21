#pragma once

// Whether an operator may write to memory that another of its arguments sees, as the CPU rules it.

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

namespace ippatsu::device {

enum class MemorySharing {
  Unchecked,
  NoOverlap,       // each element of the target has memory of its own
  SameOrDisjoint,  // and an operand is the target, element for element, or apart from it
  Disjoint,        // and an operand that is not the target is apart from it
};

MemorySharing memory_sharing_of(const c10::OperatorHandle& op);

// For the argument at `target`. Raises what the CPU raises.
void check_memory_sharing(MemorySharing sharing, c10::ArrayRef<c10::IValue> arguments,
                          size_t target);

}  // namespace ippatsu::device
