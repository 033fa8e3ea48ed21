#pragma once

// What is done with the index arguments of a call before its row sees them.

#include <string_view>

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

namespace ippatsu::device {

// How an operator uses a tensor of positions.
struct IndexRule;

// Of the row of that name; null for one that takes no positions.
const IndexRule* find_index_rule(std::string_view row);

// Raises what the CPU raises for a position out of range. Positions on the host are always looked
// at; those on the device in strict mode only, as each look waits for the device. A row by itself
// reads the nearest element instead, and drops what it would write.
void check_positions(const IndexRule& rule, const c10::FunctionSchema& schema,
                     c10::ArrayRef<c10::IValue> arguments);

// Replaces each mask in the call's list of indices by the positions where it holds, whose number is
// read from the device. False if there is none.
bool masks_to_positions(const c10::FunctionSchema& schema, torch::jit::Stack& stack);

}  // namespace ippatsu::device
