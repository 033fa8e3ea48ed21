#include "check/findings.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ippatsu::check {

namespace {

using hlo::DType;
using trace::Journal;

constexpr int64_t kManyElements = 4096;      // for arithmetic in i64; labels and indices are fewer
constexpr int64_t kLargeConstant = 1 << 18;  // bytes
constexpr double kGrowth = 1.1;              // of operations, from the second step to the last
constexpr int64_t kHugeProgram = 50'000;     // operations
constexpr int64_t kSmallProgram = 8;         // operations
constexpr size_t kOpsNamed = 3;              // at one place; of more there is only the number

// Operators that compute with integers. The others make, move or compare indices.
constexpr std::array<std::string_view, 19> kIntegerArithmetic{
    "add",    "addcmul", "bmm", "cumprod", "cumsum",     "div",       "floor_divide",
    "matmul", "mm",      "mul", "pow",     "prod",       "remainder", "fmod",
    "square", "sub",     "sum", "rsub",    "bitwise_xor"};

// The same thing at the same place, over all steps.
struct Tally {
  std::vector<int64_t> times;      // by step
  int64_t bytes = 0;               // in all
  std::vector<std::string> texts;  // what is said of each, without repetitions

  void count(size_t step, int64_t entry_bytes = 0, const std::string& text = "") {
    times.resize(std::max(times.size(), step + 1));
    ++times[step];
    bytes += entry_bytes;
    if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
};

// By what it is and where, in the order of the program.
class Tallies {
 public:
  using Key = std::pair<std::string, std::string>;

  Tally& operator[](const Key& key) {
    const auto [place, is_new] = places_.try_emplace(key, tallies_.size());
    if (is_new) tallies_.emplace_back(key, Tally());
    return tallies_[place->second].second;
  }
  auto begin() const { return tallies_.begin(); }
  auto end() const { return tallies_.end(); }

 private:
  std::map<Key, size_t> places_;
  std::vector<std::pair<Key, Tally>> tallies_;
};

template <typename Entries, typename Count>
Tallies tally(const std::vector<Journal>& steps, Entries entries, Count count) {
  Tallies tallies;
  for (size_t step = 0; step < steps.size(); ++step) {
    for (const auto& entry : steps[step].*entries) count(tallies, step, entry);
  }
  return tallies;
}

Finding finding(Kind kind, std::string what, std::string where) {
  return {.kind = kind,
          .severity = info(kind).severity,
          .what = std::move(what),
          .where = std::move(where),
          .advice = std::string(info(kind).advice)};
}

// What happens in the first step only is the price of starting.
void say_how_often(Finding& finding, const Tally& tally, size_t steps) {
  int64_t all = 0;
  for (const int64_t times : tally.times) all += times;
  const int64_t first = tally.times.front();
  if (steps > 1 && all == first) {
    finding.severity = Severity::Note;
    finding.what += ", in the first step only";
    finding.bytes = tally.bytes;
    return;
  }
  const bool with_first = steps == 1;
  finding.per_step = static_cast<double>(with_first ? all : all - first) /
                     static_cast<double>(with_first ? 1 : steps - 1);
  finding.bytes = tally.bytes / static_cast<int64_t>(steps);
}

void add(std::vector<Finding>& findings, Kind kind, const Tallies& tallies, size_t steps,
         std::string_view what) {
  for (const auto& [key, tally] : tallies) {
    Finding& found = findings.emplace_back(
        finding(kind, fmt::format(fmt::runtime(what), key.first), key.second));
    say_how_often(found, tally, steps);
  }
}

// --- what waits for the host

void find_host_ops(const std::vector<Journal>& steps, std::vector<Finding>& findings) {
  const auto count = [](Tallies& tallies, size_t step, const Journal::HostOp& entry) {
    tallies[{entry.op, entry.site}].count(step, entry.bytes);
  };
  add(findings, Kind::HostOp, tally(steps, &Journal::host_ops, count), steps.size(),
      "{} runs on the host");
}

void find_host_reads(const std::vector<Journal>& steps, std::vector<Finding>& findings) {
  const auto count = [](Tallies& tallies, size_t step, const Journal::HostRead& entry) {
    tallies[{"a value", entry.site}].count(step, entry.bytes);
  };
  add(findings, Kind::HostRead, tally(steps, &Journal::host_reads, count), steps.size(),
      "the host reads {} and waits for it");
}

void find_size_reads(const std::vector<Journal>& steps, std::vector<Finding>& findings) {
  const auto count = [](Tallies& tallies, size_t step, const Journal::SizeRead& entry) {
    tallies[{entry.op, entry.site}].count(step);
  };
  add(findings, Kind::SizeRead, tally(steps, &Journal::size_reads, count), steps.size(),
      "{} waits for the size of its result");
}

// --- what is compiled

std::string_view advice_for(hlo::Difference::Kind kind) {
  switch (kind) {
    case hlo::Difference::Kind::Shape:
      return "Pad to one size, or to a few (buckets); what grows can be allocated at its full "
             "length and filled.";
    case hlo::Difference::Kind::DType:
      return "Convert to one dtype before the step.";
    case hlo::Difference::Kind::Constant:
      return "A number that decides what is computed is part of the program: keep it in a tensor "
             "on the device, or let it take few values.";
    case hlo::Difference::Kind::Operations:
      return "Let every step record the same operations: torch.where in place of `if`, one number "
             "of rounds for a loop.";
    case hlo::Difference::Kind::Nothing:
      return "Hold the same tensors from step to step: what is kept beyond a step decides which "
             "buffers the program may take over.";
  }
  return info(Kind::Recompile).advice;
}

struct Recompiles {
  int64_t count = 0;
  hlo::Difference latest;
};

void find_recompiles(const std::vector<Journal>& steps, std::vector<Finding>& findings) {
  using Key = std::pair<hlo::Difference::Kind, std::string>;
  std::map<Key, Recompiles> found;
  for (size_t step = kWarmUpSteps; step < steps.size(); ++step) {
    for (const Journal::Program& program : steps[step].programs) {
      if (!program.compiled) continue;
      const std::string& site = program.why.site.empty() ? program.site : program.why.site;
      Recompiles& here = found[{program.why.kind, site}];
      ++here.count;
      here.latest = program.why;
    }
  }
  for (const auto& [key, here] : found) {
    Finding& recompile = findings.emplace_back(
        finding(Kind::Recompile, "compiled anew because " + here.latest.text, key.second));
    recompile.per_step =
        static_cast<double>(here.count) / static_cast<double>(steps.size() - kWarmUpSteps);
    recompile.advice = advice_for(key.first);
  }
}

void find_large_constants(const std::vector<Journal>& steps, std::vector<Finding>& findings) {
  std::map<std::string, int64_t> largest;
  for (const Journal& step : steps) {
    for (const Journal::Program& program : step.programs) {
      if (program.constant_bytes <= kLargeConstant) continue;
      int64_t& bytes =
          largest[program.constant_site.empty() ? program.site : program.constant_site];
      bytes = std::max(bytes, program.constant_bytes);
    }
  }
  for (const auto& [site, bytes] : largest) {
    findings.push_back(finding(Kind::LargeConstant, "the program holds large constants", site));
    findings.back().bytes = bytes;
  }
}

const Journal::Program* largest_program(const Journal& step) {
  const auto largest = std::ranges::max_element(step.programs, {}, &Journal::Program::operations);
  return largest == step.programs.end() ? nullptr : &*largest;
}

void find_program_sizes(const std::vector<Journal>& steps, std::vector<Finding>& findings) {
  std::vector<const Journal::Program*> largest;
  for (const Journal& step : steps) {
    if (const auto* program = largest_program(step)) largest.push_back(program);
  }
  if (largest.empty()) {
    if (!steps.empty()) findings.push_back(finding(Kind::NothingRan, "no step ran a program", ""));
    return;
  }
  const Journal::Program& last = *largest.back();
  if (last.operations > kHugeProgram) {
    findings.push_back(finding(
        Kind::HugeProgram, fmt::format("a program of {} operations", last.operations), last.site));
  }
  if (last.operations < kSmallProgram) {
    findings.push_back(
        finding(Kind::DoesNotPay,
                fmt::format("no program of a step has more than {} operations", last.operations),
                last.site));
  }
  if (largest.size() <= kWarmUpSteps) return;
  const auto operations = [](const Journal::Program* program) { return program->operations; };
  const auto steady = std::ranges::subrange(largest.begin() + 1, largest.end());
  const bool grows =
      std::ranges::adjacent_find(steady, std::ranges::greater_equal(), operations) == steady.end();
  const auto at_first = static_cast<double>((*steady.begin())->operations);
  if (grows && static_cast<double>(last.operations) > kGrowth * at_first) {
    findings.push_back(finding(Kind::GrowingProgram,
                               fmt::format("the program grew from {} operations in step 2 to {} in "
                                           "step {}",
                                           at_first, last.operations, largest.size()),
                               last.site));
  }
}

// --- what computes in 64 bits

std::string_view plain_name(std::string_view op) {
  op.remove_prefix(std::min(op.find("::") + 2, op.size()));
  op = op.substr(0, op.find('.'));
  return op.ends_with('_') ? op.substr(0, op.size() - 1) : op;
}

bool is_much_integer_arithmetic(const Journal::WideResult& result) {
  return result.type.elements() >= kManyElements &&
         std::ranges::find(kIntegerArithmetic, plain_name(result.op)) != kIntegerArithmetic.end();
}

bool is_wide_float(DType dtype) { return hlo::real_part(dtype) == DType::F64; }

std::string some_of(const std::vector<std::string>& ops) {
  if (ops.size() <= kOpsNamed) return fmt::format("{}", fmt::join(ops, ", "));
  return fmt::format("{} and {} more operators",
                     fmt::join(ops.begin(), ops.begin() + kOpsNamed, ", "), ops.size() - kOpsNamed);
}

// What a backward pass computes in 64 bits follows from the forward operator of its line.
std::string_view forward_site(std::string_view site) {
  constexpr std::string_view kBackward = " (backward)";
  if (site.ends_with(kBackward)) site.remove_suffix(kBackward.size());
  return site;
}

std::string_view spelled(DType dtype) {
  if (dtype == DType::F64) return "float64";
  if (dtype == DType::C128) return "complex128";
  return dtype == DType::U64 ? "uint64" : "int64";
}

void find_wide_results(const std::vector<Journal>& steps, std::vector<Finding>& findings) {
  const auto count = [](Tallies& tallies, size_t step, const Journal::WideResult& entry) {
    if (!is_wide_float(entry.type.dtype) && !is_much_integer_arithmetic(entry)) return;
    tallies[{std::string(spelled(entry.type.dtype)), std::string(forward_site(entry.site))}].count(
        step, entry.type.bytes(), entry.op);
  };
  for (const auto& [key, tally] : tally(steps, &Journal::wide_results, count)) {
    const Kind kind =
        key.first == "int64" || key.first == "uint64" ? Kind::WideInteger : Kind::WideFloat;
    const auto one = tally.texts.size() == 1;
    Finding& found = findings.emplace_back(finding(
        kind,
        fmt::format("{} {} in {}", some_of(tally.texts), one ? "computes" : "compute", key.first),
        key.second));
    say_how_often(found, tally, steps.size());
  }
}

// --- what comes out

void find_differences(const std::vector<Output>& outputs, double tolerance,
                      std::vector<Finding>& findings) {
  for (const Output& output : outputs) {
    if (output.difference <= tolerance) continue;  // NaN is not
    findings.push_back(finding(
        Kind::Difference,
        fmt::format("{} differs from the CPU's by {:.2e} of its largest value; {:.0e} is tolerated",
                    output.name, output.difference, tolerance),
        ""));
  }
}

}  // namespace

std::vector<Finding> find_troubles(const std::vector<Journal>& steps,
                                   const std::vector<Output>& outputs, double tolerance) {
  std::vector<Finding> findings;
  find_host_ops(steps, findings);
  find_host_reads(steps, findings);
  find_size_reads(steps, findings);
  find_recompiles(steps, findings);
  find_wide_results(steps, findings);
  find_large_constants(steps, findings);
  find_program_sizes(steps, findings);
  find_differences(outputs, tolerance, findings);
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  return findings;
}

}  // namespace ippatsu::check
