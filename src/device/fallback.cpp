#include "device/fallback.h"

#include <atomic>

#include <ATen/native/CPUFallback.h>
#include <torch/library.h>

#include "base/environment.h"
#include "base/log.h"
#include "device/tensor.h"
#include "trace/call_site.h"
#include "trace/journal.h"
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
  const bool first = !trace::metrics_log().snapshot().fallbacks.contains(name);
  const std::string site = first || trace::journal_is_kept() ? trace::call_site() : "";
  trace::metrics_log().record([&](trace::Metrics& metrics) {
    trace::Fallback& fallback = metrics.fallbacks[name];
    if (fallback.count++ == 0) fallback.first_site = site;
    fallback.bytes += bytes;
  });
  trace::note(&trace::Journal::host_ops, {name, bytes, site});
  if (first) {
    log().warn("{} has no form on the device: it runs on the host{}, and so does every later call",
               name, site.empty() ? "" : " (" + site + ")");
  }
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
  {
    const trace::PartOfAnEntry host_op;
    at::native::cpu_fallback(op, stack);
  }
  count(name, bytes_in + bytes_on_device(torch::jit::last(*stack, op.schema().returns().size())));
}

void set_strict(bool on) { strict_flag() = on; }

bool is_strict() { return strict_flag(); }

void register_fallback() {
  static torch::Library library(torch::Library::IMPL, "_", c10::DispatchKey::PrivateUse1, __FILE__,
                                __LINE__);
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_without_a_row>());
}

}  // namespace ippatsu::device
