#include "device/fallback.h"

#include <atomic>

#include <ATen/native/CPUFallback.h>
#include <torch/library.h>

#include "base/environment.h"
#include "base/log.h"
#include "device/tensor.h"
#include "trace/metrics.h"

namespace ippatsu::device {

namespace {

std::atomic<bool>& strict_flag() {
  static std::atomic<bool> flag{environment(Variable::Strict) == "1"};
  return flag;
}

int64_t bytes_on_device(c10::ArrayRef<c10::IValue> values) {
  int64_t bytes = 0;
  for (const c10::IValue& value : values) {
    if (value.isTensor() && is_ours(value.toTensor()))
      bytes += static_cast<int64_t>(value.toTensor().nbytes());
    if (!value.isTensorList()) continue;
    for (const at::Tensor& tensor : value.toTensorVector()) {
      if (is_ours(tensor)) bytes += static_cast<int64_t>(tensor.nbytes());
    }
  }
  return bytes;
}

void count(const std::string& name, int64_t bytes) {
  bool first = false;
  trace::metrics_log().record([&](trace::Metrics& metrics) {
    trace::Fallback& fallback = metrics.fallbacks[name];
    first = fallback.count++ == 0;
    fallback.bytes += bytes;
  });
  if (first)
    log().warn("{} has no form on the device: it runs on the host, and so does every later call",
               name);
}

// ATen hands convolutions to a device under names that no CPU kernel answers to. Their host form is
// the plain convolution, which takes the same arguments; its gradient also takes the bias's shape.
std::optional<c10::OperatorHandle> host_form(const std::string& name, torch::jit::Stack& stack) {
  auto& dispatcher = c10::Dispatcher::singleton();
  if (name == "aten::convolution_overrideable")
    return dispatcher.findSchema({"aten::convolution", ""});
  if (name != "aten::convolution_backward_overrideable") return std::nullopt;
  constexpr size_t kArguments = 10, kBiasSizes = 3;
  const int64_t channels = torch::jit::peek(stack, 0, kArguments).toTensor().size(1);
  const auto first = stack.end() - static_cast<std::ptrdiff_t>(kArguments);
  stack.insert(first + kBiasSizes, c10::IValue(std::vector<int64_t>{channels}));
  return dispatcher.findSchema({"aten::convolution_backward", ""});
}

void run_without_a_row(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  run_on_host(op, stack);
}

}  // namespace

void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack, std::string_view reason) {
  const std::string name = toString(op.operator_name());
  TORCH_CHECK_NOT_IMPLEMENTED(
      !strict_flag(), name,
      " has no form on the device ippatsu, and strict mode forbids running it on the host",
      reason.empty() ? "" : ": ", reason);
  const int64_t bytes_in =
      bytes_on_device(torch::jit::last(*stack, op.schema().arguments().size()));
  at::native::cpu_fallback(host_form(name, *stack).value_or(op), stack);
  count(name, bytes_in + bytes_on_device(torch::jit::last(*stack, op.schema().returns().size())));
}

void set_strict(bool on) { strict_flag() = on; }

void register_fallback() {
  static torch::Library library(torch::Library::IMPL, "_", c10::DispatchKey::PrivateUse1, __FILE__,
                                __LINE__);
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_without_a_row>());
  // ATen has kernels of these for every device, which only raise.
  static torch::Library aten(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1, __FILE__,
                             __LINE__);
  for (const char* op : {"convolution_overrideable", "convolution_backward_overrideable"}) {
    aten.impl(op, torch::CppFunction::makeFromBoxedFunction<&run_without_a_row>());
  }
}

}  // namespace ippatsu::device
