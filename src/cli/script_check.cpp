#include "cli/script_check.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "base/error.h"
#include "check/examination.h"
#include "device/generator.h"
#include "device/ippatsu.h"
#include "ops/dtype.h"

namespace ippatsu::cli {

namespace {

using torch::Tensor;
using torch::jit::IValue;

constexpr uint64_t kSeed = 1;

// The interpreter's messages are tracebacks, with what happened in the last line; other messages of
// torch's go on with frames of C++ after the first.
std::string sentence(std::string message) {
  message.erase(message.find_last_not_of('\n') + 1);
  if (message.find("Traceback of TorchScript") == std::string::npos)
    return message.substr(0, message.find('\n'));
  message.erase(0, message.rfind('\n') + 1);
  constexpr std::string_view kType = "RuntimeError: ";
  return message.starts_with(kType) ? message.substr(kType.size()) : message;
}

template <typename Body>
auto with_torch_errors(Body body) {
  try {
    return body();
  } catch (const Error&) {
    throw;
  } catch (const c10::Error& error) {
    throw Error(sentence(error.what_without_backtrace()));
  } catch (const std::runtime_error& error) {  // the interpreter's
    throw Error(sentence(error.what()));
  }
}

torch::jit::Module load(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) fail("there is no file {}", path.string());
  try {
    return torch::jit::load(path.string(), torch::kCPU);
  } catch (const std::exception&) {
    fail(
        "{} is not a TorchScript file: write one with torch.jit.script(model).save(...) "
        "(torch.save "
        "keeps numbers without the program)",
        path.string());
  }
}

Tensor draw(const check::InputSpec& spec) {
  const Tensor input = torch::empty(spec.type.dims, ops::scalar_type_of(spec.type.dtype));
  return check::is_drawn_from_a_range(spec) ? input.random_(spec.low, spec.high) : input.normal_();
}

std::vector<Tensor> draw(const std::vector<check::InputSpec>& specs) {
  torch::manual_seed(kSeed);
  std::vector<Tensor> inputs;
  for (const check::InputSpec& spec : specs) inputs.push_back(draw(spec));
  return inputs;
}

struct NamedTensor {
  std::string name;
  Tensor tensor;
};
using NamedTensors = std::vector<NamedTensor>;

// The tensors in what forward returns, each with the way to it: "output[1]['mask']".
void collect(const IValue& value, const std::string& name, NamedTensors& found) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) found.push_back({name, value.toTensor()});
  } else if (value.isTuple() || value.isList()) {
    const auto items =
        value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
    for (size_t i = 0; i < items.size(); ++i)
      collect(items[i], fmt::format("{}[{}]", name, i), found);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      const std::string key =
          entry.key().isString() ? "'" + entry.key().toStringRef() + "'" : c10::str(entry.key());
      collect(entry.value(), fmt::format("{}[{}]", name, key), found);
    }
  }
}

// The outputs' weighted sum. The weights differ, or else the gradients of a normalisation would
// cancel out to rounding errors.
Tensor scalar_of(const NamedTensors& outputs) {
  Tensor sum;
  for (const auto& [name, output] : outputs) {
    if (!output.requires_grad()) continue;
    auto generator = at::make_generator<at::CPUGeneratorImpl>(kSeed);
    const Tensor weights =
        torch::rand(output.sizes(), generator, torch::kFloat).to(output.device(), output.dtype());
    const Tensor term = (output * weights).sum();
    sum = sum.defined() ? sum + term : term;
  }
  return sum.defined() && sum.is_complex() ? torch::real(sum) : sum;
}

// One model on one device.
class Subject {
 public:
  // The module becomes the subject's: copies would hang together through autograd.
  Subject(torch::jit::Module module, const std::vector<Tensor>& inputs, torch::Device device,
          bool backward)
      : module_(std::move(module)), backward_(backward) {
    module_.to(device);
    for (const Tensor& input : inputs) inputs_.emplace_back(input.to(device));
  }

  // Forward and backward, from gradients of nothing.
  NamedTensors step() {
    for (Tensor parameter : module_.parameters()) parameter.mutable_grad() = Tensor();
    NamedTensors outputs;
    collect(module_.forward(inputs_), "output", outputs);
    const Tensor scalar = backward_ ? scalar_of(outputs) : Tensor();
    if (scalar.defined()) scalar.backward();
    for (NamedTensor& output : outputs) output.tensor = output.tensor.detach();
    return outputs;
  }

  NamedTensors gradients() const {
    NamedTensors found;
    for (const auto& parameter : module_.named_parameters()) {
      if (parameter.value.grad().defined())
        found.push_back({parameter.name, parameter.value.grad()});
    }
    return found;
  }

 private:
  torch::jit::Module module_;
  bool backward_;
  std::vector<IValue> inputs_;
};

Tensor on_host(const Tensor& tensor) {
  return tensor.detach().cpu().to(tensor.is_complex() ? torch::kComplexDouble : torch::kDouble);
}

double largest(const Tensor& tensor) {
  return tensor.numel() == 0 ? 0 : tensor.abs().max().item<double>();
}

// The largest difference, in `scale`s. Infinities and NaN must stand at the same places.
double difference(const Tensor& ours, const Tensor& cpu, double scale) {
  if (ours.sizes() != cpu.sizes()) return std::numeric_limits<double>::infinity();
  const Tensor x = on_host(ours), y = on_host(cpu);
  const Tensor same = x.eq(y).logical_or(x.isnan().logical_and(y.isnan()));
  const double worst = largest((x - y).masked_fill(same, 0));
  return worst == 0 ? 0 : worst / scale;
}

double scale_of(const Tensor& cpu) {
  const Tensor y = on_host(cpu);
  return largest(y.masked_fill(y.isfinite().logical_not(), 0));
}

double difference(const Tensor& ours, const Tensor& cpu) {
  return difference(ours, cpu, scale_of(cpu));
}

// All gradients beside the largest of them: some are nothing but rounding errors of zero.
void compare_gradients(const NamedTensors& ours, const NamedTensors& cpu,
                       check::Examination& examination) {
  if (ours.size() != cpu.size() || ours.empty()) return;
  double scale = 0, worst = 0;
  for (const NamedTensor& gradient : cpu) scale = std::max(scale, scale_of(gradient.tensor));
  std::string where = ours[0].name;
  for (size_t i = 0; i < ours.size(); ++i) {
    const double here = difference(ours[i].tensor, cpu[i].tensor, scale);
    if (here <= worst) continue;
    worst = here;
    where = ours[i].name;
  }
  examination.output(fmt::format("gradients (most that of {})", where), worst);
}

void compare_outputs(const NamedTensors& ours, const NamedTensors& cpu,
                     check::Examination& examination) {
  for (size_t i = 0; i < std::min(ours.size(), cpu.size()); ++i)
    examination.output(ours[i].name, difference(ours[i].tensor, cpu[i].tensor));
}

Tensor random_state() { return device::default_generator(0).get_state(); }

// What the device computed in the first step, as tensors of the CPU.
struct FirstStep {
  NamedTensors outputs, gradients;
  bool is_random = false;
};

NamedTensors fetched(NamedTensors tensors) {
  for (NamedTensor& named : tensors) named.tensor = named.tensor.cpu();
  return tensors;
}

FirstStep watch_steps(Subject subject, int64_t steps, check::Examination& examination) {
  FirstStep first;
  const Tensor state = random_state();
  for (int64_t step = 0; step < steps; ++step) {
    examination.begin_step();
    const NamedTensors outputs = subject.step();
    wait();
    examination.end_step();
    if (step == 0) first = {.outputs = fetched(outputs), .gradients = fetched(subject.gradients())};
  }
  first.is_random = !torch::equal(state, random_state());
  return first;
}

}  // namespace

check::Report check_script(const ScriptCheckOptions& options) {
  torch::jit::Module module = load(options.model);
  // The optimizer would fuse the user's lines away.
  const torch::jit::GraphOptimizerEnabledGuard plain(false);
  check::Examination examination(
      {.subject = options.model.filename().string(), .tolerance = options.tolerance});
  return with_torch_errors([&] {
    const std::vector<Tensor> inputs = draw(options.inputs);
    const FirstStep ours =
        watch_steps(Subject(std::move(module), inputs, torch::Device("ippatsu"), options.backward),
                    options.steps, examination);
    if (ours.is_random) {
      examination.not_compared(
          "the step draws random numbers (dropout, rand), and the device's are others than the "
          "CPU's; save the model in evaluation mode to compare");
      return examination.report();
    }
    Subject cpu(load(options.model), inputs, torch::kCPU, options.backward);
    compare_outputs(ours.outputs, cpu.step(), examination);
    compare_gradients(ours.gradients, cpu.gradients(), examination);
    return examination.report();
  });
}

}  // namespace ippatsu::cli
