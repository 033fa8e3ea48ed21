#include "device/kernel.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/native/Resize.h>
#include <c10/core/ScalarType.h>

#include "base/error.h"
#include "device/fallback.h"
#include "device/runtime.h"
#include "device/tensor.h"
#include "ops/dtype.h"

namespace ippatsu::device {

namespace {

using c10::IValue;
using hlo::Value;

// The first tensor on the device among the arguments.
const at::Tensor* find_ours(c10::ArrayRef<IValue> arguments) {
  for (const IValue& argument : arguments) {
    if (argument.isTensor() && is_ours(argument.toTensor())) return &argument.toTensor();
  }
  return nullptr;
}

std::optional<c10::DeviceIndex> find_device(c10::ArrayRef<IValue> arguments) {
  if (const at::Tensor* ours = find_ours(arguments)) return ours->device().index();
  for (const IValue& argument : arguments) {
    if (!argument.isTensorList()) continue;
    for (const at::Tensor& tensor : argument.toTensorVector()) {
      if (is_ours(tensor)) return tensor.device().index();
    }
  }
  return std::nullopt;
}

void check_castable(Value result, const at::Tensor& target) {
  const c10::ScalarType from = ops::scalar_type_of(result.dtype()), to = target.scalar_type();
  if (!c10::canCast(from, to)) {
    fail("result type {} can't be cast to the desired output type {}", c10::toString(from),
         c10::toString(to));
  }
}

void write_in_place(const at::Tensor& target, Value result) {
  check_castable(result, target);
  at::assert_no_internal_overlap(target);
  if (result.dims() != target.sizes()) {
    fail("output with shape {} doesn't match the broadcast shape {}", c10::str(target.sizes()),
         c10::str(c10::IntArrayRef(result.dims())));
  }
  write(target, result);
}

void write_out(const at::Tensor& target, Value result) {
  check_castable(result, target);
  at::native::resize_output(target, result.dims());
  at::assert_no_internal_overlap(target);
  write(target, result);
}

}  // namespace

void RowKernel::operator()(const c10::OperatorHandle& op, c10::DispatchKeySet,
                           torch::jit::Stack* stack) const {
  try {
    run(op, *stack);
  } catch (const ops::NoForm& reason) {
    run_on_host(op, stack, reason.what());
  } catch (const Error& error) {
    // Across torch's border goes torch's own exception type, with the op's name once, in front.
    TORCH_CHECK(false, row_.name, ": ", error.what());
  }
}

void RowKernel::run(const c10::OperatorHandle& op, torch::jit::Stack& stack) const {
  const c10::FunctionSchema& schema = op.schema();
  const size_t count = schema.arguments().size();
  const c10::ArrayRef<IValue> arguments = torch::jit::last(stack, count);
  const auto index = find_device(arguments);
  if (!index) fail("none of the arguments is on the device ippatsu");
  Runtime& runtime = Runtime::get();
  trace::Trace& trace = runtime.trace(*index);

  std::vector<IValue> results;
  {
    const auto lock = trace.lock();
    const hlo::Scope scope(trace.graph(), row_.name);
    Reader reader(trace, *index);
    ops::Lowering lowering(functional_, arguments.slice(0, functional_.arguments().size()), reader,
                           trace.graph());
    const ops::Results values = row_.lower(lowering);
    for (size_t i = 0; i < values.values().size(); ++i) {
      const Value value = values.values()[i];
      if (mutated_.empty()) {
        results.emplace_back(value ? make_tensor(trace, *index, value) : at::Tensor());
        continue;
      }
      const at::Tensor& target = arguments[mutated_[i]].toTensor();
      const bool is_out = schema.arguments()[mutated_[i]].is_out();
      is_out ? write_out(target, value) : write_in_place(target, value);
      results.emplace_back(target);
    }
  }
  results.resize(schema.returns().size());
  torch::jit::drop(stack, count);
  for (IValue& result : results) stack.push_back(std::move(result));
}

}  // namespace ippatsu::device
