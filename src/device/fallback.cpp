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

void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const std::string name = toString(op.operator_name());
  TORCH_CHECK_NOT_IMPLEMENTED(
      !strict_flag(), name,
      " has no form on the device ippatsu, and strict mode forbids running it on the host");
  const int64_t bytes_in =
      bytes_on_device(torch::jit::last(*stack, op.schema().arguments().size()));
  at::native::cpu_fallback(op, stack);
  count(name, bytes_in + bytes_on_device(torch::jit::last(*stack, op.schema().returns().size())));
}

}  // namespace

void set_strict(bool on) { strict_flag() = on; }

void register_fallback() {
  static torch::Library library(torch::Library::IMPL, "_", c10::DispatchKey::PrivateUse1, __FILE__,
                                __LINE__);
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_on_host>());
}

}  // namespace ippatsu::device
