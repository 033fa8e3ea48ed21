#pragma once

#include <string_view>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace ippatsu::device {

// Ops without a row run on the host: counted in the metrics, warned of once each, or refused in
// strict mode.
void register_fallback();

// One op, all of whose arguments are on the stack. In strict mode it raises, with the reason.
void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack,
                 std::string_view reason = "");

void set_strict(bool on);
bool is_strict();

}  // namespace ippatsu::device
