// Every line of tests/ops/*.optest on the device and on the CPU: the operator itself, its
// gradients, its in-place and out= forms. All that a line asks for is one program on the device.

#include <algorithm>
#include <set>

#include <torch/torch.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "comparison.h"
#include "device/ippatsu.h"
#include "invocation.h"
#include "ops/table.h"

namespace ippatsu::optest {

namespace {

using at::Tensor;
using Tensors = std::vector<Tensor>;

// From the root of the repository, where ctest starts every test.
constexpr const char* kFolder = "tests/ops";

const std::vector<Line>& all_lines() {
  static const std::vector<Line> lines = read_lines(kFolder);
  return lines;
}

// What one form of the operator gave on one side.
struct Outcome {
  Tensors results;
  Tensors arguments;  // as the call left them
  Tensors gradients;
  std::optional<std::string> error, gradient_error;
};

std::string first_line(const char* message) {
  const std::string_view text(message);
  return std::string(text.substr(0, text.find('\n')));
}

template <typename Body>
std::optional<std::string> error_of(Body body) {
  try {
    body();
    return std::nullopt;
  } catch (const std::exception& error) {
    return first_line(error.what());
  }
}

Tensors tensors_of(const torch::jit::Stack& stack) {
  Tensors tensors;
  for (const c10::IValue& value : stack) {
    if (value.isTensor()) tensors.push_back(value.toTensor());
    if (!value.isTensorList()) continue;
    for (const Tensor& tensor : value.toTensorVector()) tensors.push_back(tensor);
  }
  return tensors;
}

// The gradients of sum(result * weight) with a fixed random weight for each result.
Tensors gradients_of(const Tensors& results, const Tensors& leaves, c10::Device device) {
  Tensors outputs, weights;
  auto generator = at::detail::createCPUGenerator(1);
  for (const Tensor& result : results) {
    if (!result.defined() || !result.requires_grad() || !result.is_floating_point()) continue;
    outputs.push_back(result);
    weights.push_back(torch::randn(result.sizes(), generator, torch::kDouble)
                          .to(result.scalar_type())
                          .to(result.is_cpu() ? c10::Device(c10::kCPU) : device));
  }
  if (outputs.empty()) return {};
  return torch::autograd::grad(outputs, leaves, weights, std::nullopt, false, true);
}

class LineRunner {
 public:
  explicit LineRunner(const Line& line) : invocation_(line), seed_(stable_hash(line.text)) {}

  const Wanted& wanted() const { return invocation_.wanted(); }

  // Everything that differs between the device and the CPU, in words.
  std::vector<std::string> problems();

 private:
  Outcome run_functional(c10::Device device) const;
  Outcome run_mutating(const c10::OperatorHandle& form, c10::Device device) const;
  void compare(const std::string& form, const Outcome& ours, const Outcome& theirs);
  void compare_tensor(const std::string& what, const Tensor& ours, const Tensor& theirs);
  void compare_strides(const Outcome& ours, const Outcome& theirs);
  void compare_gradients(const Outcome& ours, const Outcome& theirs);
  void check_raises(const Outcome& ours, const Outcome& theirs);
  void check_moments(const Tensor& result);

  Invocation invocation_;
  uint64_t seed_;
  std::vector<Tensor> result_kinds_;  // what out= arguments are to be
  std::vector<std::string> problems_;
};

Outcome LineRunner::run_functional(c10::Device device) const {
  Outcome outcome;
  TensorMaker maker(device, seed_, wanted().gradients && !wanted().random);
  torch::jit::Stack stack = invocation_.arguments(maker);
  outcome.arguments = tensors_of(stack);
  outcome.error = error_of([&] { invocation_.op().callBoxed(&stack); });
  if (outcome.error) return outcome;
  outcome.results = tensors_of(stack);
  outcome.gradient_error =
      error_of([&] { outcome.gradients = gradients_of(outcome.results, maker.leaves(), device); });
  return outcome;
}

// The out= arguments are empty tensors of the results' element types.
Outcome LineRunner::run_mutating(const c10::OperatorHandle& form, c10::Device device) const {
  Outcome outcome;
  TensorMaker maker(device, seed_, /*with_gradients=*/false);
  torch::jit::Stack stack = invocation_.arguments(maker);
  for (const Tensor& kind : result_kinds_) {
    if (stack.size() == form.schema().arguments().size()) break;
    stack.emplace_back(torch::empty({0}, torch::dtype(kind.scalar_type()).device(device)));
  }
  Tensors changed;
  for (const size_t index : mutated_arguments(form.schema()))
    changed.push_back(stack.at(index).toTensor());
  outcome.error = error_of([&] { form.callBoxed(&stack); });
  outcome.results = changed;
  return outcome;
}

void LineRunner::check_raises(const Outcome& ours, const Outcome& theirs) {
  if (!theirs.error) problems_.push_back("raises nothing on the CPU");
  if (!ours.error) {
    problems_.push_back("raises nothing on the device");
  } else if (ours.error->find(*wanted().raises) == std::string::npos) {
    problems_.push_back("raises on the device: " + *ours.error);
  }
}

void LineRunner::check_moments(const Tensor& result) {
  const Tensor x = result.cpu().to(torch::kDouble);
  if (x.numel() == 0) return;
  const auto check = [&](const char* what, std::optional<double> limit, double got, auto holds) {
    if (limit && !holds(got, *limit))
      problems_.push_back(fmt::format("{} is {}, wanted {}", what, got, *limit));
  };
  const double slack = wanted().atol.value_or(0.05);
  const auto near = [&](double got, double limit) { return std::abs(got - limit) <= slack; };
  check("the mean", wanted().mean, x.mean().item<double>(), near);
  check("the deviation", wanted().std, x.std().item<double>(), near);
  check("the least", wanted().min, x.min().item<double>(), std::greater_equal<>());
  check("the greatest", wanted().max, x.max().item<double>(), std::less_equal<>());
}

void LineRunner::compare_tensor(const std::string& what, const Tensor& ours, const Tensor& theirs) {
  std::optional<std::string> different = type_difference(ours, theirs);
  if (!different && ours.defined() && !wanted().random) {
    Tolerance tolerance = default_tolerance(theirs.scalar_type());
    tolerance.relative = wanted().rtol.value_or(tolerance.relative);
    tolerance.absolute = wanted().atol.value_or(tolerance.absolute);
    different = difference(ours.detach().cpu(), theirs.detach(), tolerance);
  }
  if (different) problems_.push_back(what + ": " + *different);
}

// A view lies in memory as it does on the CPU.
void LineRunner::compare_strides(const Outcome& ours, const Outcome& theirs) {
  const auto* alias = invocation_.op().schema().returns().at(0).alias_info();
  if (alias == nullptr || alias->isWrite() || ours.error || theirs.error) return;
  for (size_t i = 0; i < theirs.results.size(); ++i) {
    const Tensor &view = ours.results.at(i), &other = theirs.results[i];
    if (view.strides() == other.strides() && view.storage_offset() == other.storage_offset())
      continue;
    problems_.push_back(fmt::format("view {} has strides [{}] from {} on, wanted [{}] from {} on",
                                    i, fmt::join(view.strides(), ","), view.storage_offset(),
                                    fmt::join(other.strides(), ","), other.storage_offset()));
  }
}

void LineRunner::compare_gradients(const Outcome& ours, const Outcome& theirs) {
  if (theirs.gradient_error) return;  // an operator without a derivative
  if (ours.gradient_error) {
    problems_.push_back("the gradient raises on the device: " + *ours.gradient_error);
    return;
  }
  for (size_t i = 0; i < theirs.gradients.size(); ++i)
    compare_tensor(fmt::format("gradient {}", i), ours.gradients.at(i), theirs.gradients[i]);
}

void LineRunner::compare(const std::string& form, const Outcome& ours, const Outcome& theirs) {
  if (ours.error.has_value() != theirs.error.has_value()) {
    problems_.push_back(fmt::format("{} raises {}: {}", form,
                                    ours.error ? "on the device" : "only on the CPU",
                                    ours.error ? *ours.error : *theirs.error));
  }
  if (ours.error || theirs.error) return;
  if (ours.results.size() != theirs.results.size())
    fail("{} results on the device, {} on the CPU", ours.results.size(), theirs.results.size());
  for (size_t i = 0; i < theirs.results.size(); ++i)
    compare_tensor(fmt::format("{} result {}", form, i), ours.results[i], theirs.results[i]);
  for (size_t i = 0; i < theirs.arguments.size(); ++i)
    compare_tensor(fmt::format("argument {}", i), ours.arguments.at(i), theirs.arguments[i]);
  compare_gradients(ours, theirs);
}

std::vector<std::string> LineRunner::problems() {
  const c10::Device host(c10::kCPU), device("ippatsu");
  const Outcome theirs = run_functional(host), ours = run_functional(device);
  if (wanted().raises) {
    check_raises(ours, theirs);
    return problems_;
  }
  if (theirs.error) fail("the CPU raises: {}", *theirs.error);
  result_kinds_ = theirs.results;

  struct Pair {
    std::string form;
    Outcome ours, theirs;
  };
  std::vector<Pair> pairs{{invocation_.op().schema().name(), ours, theirs}};
  // Where an output is left out, so would its out= argument be.
  const bool complete = std::ranges::all_of(result_kinds_, &Tensor::defined);
  for (const c10::OperatorHandle& form : complete&& wanted().forms
                                             ? mutating_forms(invocation_.op().schema())
                                             : std::vector<c10::OperatorHandle>{})
    pairs.push_back(
        {toString(form.operator_name()), run_mutating(form, device), run_mutating(form, host)});
  sync();
  for (const Pair& pair : pairs) compare(pair.form, pair.ours, pair.theirs);
  compare_strides(ours, theirs);
  if (wanted().random && !ours.error) check_moments(ours.results.at(0));
  return problems_;
}

std::vector<std::string> problems_of(LineRunner& runner) {
  try {
    return runner.problems();
  } catch (const std::exception& error) {
    return {first_line(error.what())};
  }
}

std::string report(const Line& line, const std::vector<std::string>& problems) {
  return fmt::format("{}/{}:{}: {}\n  {}", kFolder, line.file, line.number, line.text,
                     fmt::join(problems, "\n  "));
}

// "reduction.optest", line 12, aten::mean.dim: reduction_12_mean_dim
std::string test_name(const testing::TestParamInfo<Line>& info) {
  const Line& line = info.param;
  std::string name = fmt::format("{}_{}_{}", line.file.substr(0, line.file.find('.')), line.number,
                                 line.op().substr(line.op().find(':') + 2));
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

class OpTest : public testing::TestWithParam<Line> {
 protected:
  static void SetUpTestSuite() { initialize(); }
  void SetUp() override { strict(true); }
};

}  // namespace

TEST_P(OpTest, AgreesWithTheCpu) {
  const Line& line = GetParam();
  try {
    LineRunner runner(line);
    const std::vector<std::string> problems = problems_of(runner);
    if (!runner.wanted().known) {
      EXPECT_TRUE(problems.empty()) << report(line, problems);
    } else {
      EXPECT_FALSE(problems.empty()) << report(
          line, {"the known gap is closed: remove known=\"" + *runner.wanted().known + '"'});
    }
  } catch (const Error& error) {
    ADD_FAILURE() << report(line, {error.what()});
  }
}

INSTANTIATE_TEST_SUITE_P(Lines, OpTest, testing::ValuesIn(all_lines()), test_name);

TEST(OpTable, EveryRowHasALine) {
  std::set<std::string> tested;
  for (const Line& line : all_lines()) tested.insert(line.op());
  std::vector<std::string> missing;
  for (const ops::OpRow& row : ops::all_rows()) {
    if (!tested.contains(row.name)) missing.emplace_back(row.name);
  }
  EXPECT_TRUE(missing.empty()) << "rows without a line in " << kFolder << "/*.optest:\n"
                               << fmt::format("{}", fmt::join(missing, "\n"));
}

}  // namespace ippatsu::optest
