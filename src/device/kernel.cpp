#include "device/kernel.h"

#include <algorithm>
#include <functional>

#include <ATen/native/Resize.h>
#include <c10/core/ScalarType.h>

#include "base/error.h"
#include "device/call_site.h"
#include "device/fallback.h"
#include "device/runtime.h"
#include "device/tensor.h"
#include "ops/dtype.h"
#include "trace/call_site.h"
#include "trace/journal.h"

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

bool is_tensor_list(const c10::Argument& argument) {
  return argument.type()->isSubtypeOf(*c10::ListType::ofTensors());
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
  if (result.dims() != target.sizes()) {
    fail("output with shape {} doesn't match the broadcast shape {}", c10::str(target.sizes()),
         c10::str(c10::IntArrayRef(result.dims())));
  }
  write(target, as_noted(result, target));
}

// The strides for a result of these sizes; none: row-major.
using StridesOf = std::function<c10::DimVector(c10::IntArrayRef sizes)>;

void write_out(const at::Tensor& target, Value result, const StridesOf& strides_of) {
  check_castable(result, target);
  if (at::native::resize_output(target, result.dims())) {
    const c10::DimVector strides = strides_of(result.dims());
    if (!strides.empty())
      target.unsafeGetTensorImpl()->set_sizes_and_strides(result.dims(), strides);
  }
  write(target, as_noted(result, target));
}

// The results as new tensors, a list of them where the schema says so.
std::vector<IValue> make_results(const c10::FunctionSchema& schema, const ops::Results& values,
                                 trace::Trace& trace, c10::DeviceIndex index,
                                 const StridesOf& strides_of) {
  std::vector<IValue> results;
  auto value = values.values().begin();
  const auto next_tensor = [&] {
    const Value next = *value++;
    return next ? make_tensor(trace, index, next, strides_of(next.dims())) : at::Tensor();
  };
  for (size_t i = 0; i < schema.returns().size(); ++i) {
    if (!is_tensor_list(schema.returns()[i])) {
      results.emplace_back(next_tensor());
      continue;
    }
    std::vector<at::Tensor> list(values.length(i));
    for (at::Tensor& tensor : list) tensor = next_tensor();
    results.emplace_back(std::move(list));
  }
  return results;
}

// The results written into the arguments at `targets`, and these.
std::vector<IValue> write_results(const c10::FunctionSchema& schema,
                                  c10::ArrayRef<IValue> arguments,
                                  const std::vector<size_t>& targets, const ops::Results& values,
                                  const StridesOf& strides_of) {
  std::vector<IValue> results;
  auto value = values.values().begin();
  for (const size_t position : targets) {
    const IValue& target = arguments[position];
    const auto write_next = [&](const at::Tensor& tensor, Value next) {
      schema.arguments()[position].is_out() ? write_out(tensor, next, strides_of)
                                            : write_in_place(tensor, next);
    };
    if (target.isTensor()) {
      write_next(target.toTensor(), *value++);
    } else {
      const std::vector<at::Tensor> list = target.toTensorVector();
      if (list.size() != values.length(results.size()))
        fail("{} results for a list of {} tensors", values.length(results.size()), list.size());
      for (const at::Tensor& tensor : list) write_next(tensor, *value++);
    }
    results.push_back(target);
  }
  return results;
}

void note_wide_results(const char* op, const std::vector<IValue>& results) {
  for (const IValue& result : results) {
    if (!result.isTensor() || !result.toTensor().defined()) continue;
    const at::Tensor& tensor = result.toTensor();
    const hlo::Type type{ops::dtype_of(tensor.scalar_type()), tensor.sizes().vec()};
    if (hlo::byte_width(hlo::real_part(type.dtype)) < 8) continue;
    trace::note(&trace::Journal::wide_results, {op, type, trace::call_site()});
  }
}

// Rows that take tensors of the host beside those of the device, as positions or lengths.
constexpr std::string_view kTakeHostTensors[] = {
    "aten::_ctc_loss",           "aten::_index_put_impl", "aten::_pack_padded_sequence",
    "aten::_use_cudnn_ctc_loss", "aten::ctc_loss",        "aten::index",
    "aten::index_put",
};

bool takes_host_tensors(std::string_view row) {
  return std::ranges::find(kTakeHostTensors, row.substr(0, row.find('.'))) !=
         std::end(kTakeHostTensors);
}

}  // namespace

RowKernel::RowKernel(ops::OpRow row, const c10::OperatorHandle& functional,
                     std::vector<size_t> targets)
    : row_(row),
      functional_(functional.schema()),
      targets_(std::move(targets)),
      positions_(find_index_rule(row.name)),
      arrangement_(arrangement_of(functional)),
      sharing_(memory_sharing_of(functional)),
      takes_host_tensors_(takes_host_tensors(row.name)) {}

void RowKernel::operator()(const c10::OperatorHandle& op, c10::DispatchKeySet,
                           torch::jit::Stack* stack) const {
  try {
    positions_ == nullptr ? run(op, *stack) : run_with_positions(op, *stack);
  } catch (const ops::NoForm& reason) {
    run_on_host(op, stack, reason.what());
  } catch (const Error& error) {
    // Across torch's border goes torch's own exception type, with the op's name once, in front.
    TORCH_CHECK(false, row_.name, ": ", error.what());
  }
}

// A row that has no form for masks gets the positions where they hold. In strict mode all do, so
// that values which are not as many raise.
void RowKernel::run_with_positions(const c10::OperatorHandle& op, torch::jit::Stack& stack) const {
  const size_t count = op.schema().arguments().size();
  if (is_strict()) masks_to_positions(op.schema(), stack);
  check_positions(*positions_, functional_, torch::jit::last(stack, count));
  try {
    run(op, stack);
  } catch (const ops::NoForm&) {
    if (!masks_to_positions(op.schema(), stack)) throw;
    run(op, stack);
  }
}

void RowKernel::check_targets(c10::ArrayRef<IValue> arguments) const {
  for (const size_t position : targets_) {
    if (!arguments[position].isTensor()) continue;
    const at::Tensor& target = arguments[position].toTensor();
    if (!is_ours(target)) {
      fail(
          "Expected all tensors to be on the same device, but found at least two devices, ippatsu "
          "and {}!",
          target.device().str());
    }
    check_memory_sharing(sharing_, arguments, position);
  }
}

void RowKernel::run(const c10::OperatorHandle& op, torch::jit::Stack& stack) const {
  const c10::FunctionSchema& schema = op.schema();
  const size_t count = schema.arguments().size();
  const c10::ArrayRef<IValue> arguments = torch::jit::last(stack, count);
  const auto index = find_device(arguments);
  if (!index) {
    fail(
        "none of the tensors is on the device ippatsu; a generator of the device draws for tensors "
        "that are");
  }
  Runtime& runtime = Runtime::get();
  trace::Trace& trace = runtime.trace(*index);
  trace.cut_chain();

  const char* scope_name = device::scope_name(row_.name);
  std::vector<IValue> results;
  {
    const auto lock = trace.lock();
    const hlo::Scope scope(trace.graph(), scope_name);
    Reader reader(trace, *index, takes_host_tensors_);
    const c10::ArrayRef<IValue> operands = arguments.slice(0, functional_.arguments().size());
    ops::Lowering lowering(functional_, operands, reader, trace.graph());
    const ops::Results values = row_.lower(lowering);
    const auto strides_of = [&](c10::IntArrayRef sizes) {
      return result_strides(arrangement_, operands, sizes);
    };
    if (targets_.empty()) {
      results = make_results(functional_, values, trace, *index, strides_of);
    } else {
      check_targets(arguments);
      results = write_results(schema, arguments, targets_, values, strides_of);
    }
    for (const auto& [argument, value] : lowering.writes())
      write_in_place(arguments[argument].toTensor(), value);
  }
  if (trace::journal_is_kept()) note_wide_results(row_.name, results);
  results.resize(schema.returns().size());
  torch::jit::drop(stack, count);
  for (IValue& result : results) stack.push_back(std::move(result));
}

}  // namespace ippatsu::device
