#include "check/examination.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "check/findings.h"

namespace ippatsu::check {

namespace {

using trace::Journal;

Step summary(const Journal& journal) {
  Step step{.programs = std::ssize(journal.programs),
            .host_ops = std::ssize(journal.host_ops),
            .host_reads = std::ssize(journal.host_reads),
            .size_reads = std::ssize(journal.size_reads)};
  for (const Journal::Program& program : journal.programs) {
    step.compiles += program.compiled;
    step.compile_seconds += program.compile_seconds;
    step.operations += program.operations;
  }
  return step;
}

// The first two steps may compile: only in the second do buffers of the first come back as inputs.
std::string compile_count(const std::vector<Step>& steps) {
  int64_t all = 0;
  for (const Step& step : steps) all += step.compiles;
  if (steps.size() <= kWarmUpSteps) return fmt::format("at least {}", all);
  const auto late = std::ranges::subrange(steps.begin() + kWarmUpSteps, steps.end());
  const auto still = std::ranges::count_if(late, [](const Step& s) { return s.compiles > 0; });
  if (still == 0) return fmt::format("{} in all", all);
  if (still == std::ssize(late))
    return fmt::format("{} a step, without end", steps.back().compiles);
  return fmt::format("{} in {} steps, and now and then one more", all, steps.size());
}

std::optional<pjrt::MemoryPlan> memory_plan(const std::vector<Journal>& steps) {
  const auto last = std::ranges::find_if(
      steps.rbegin(), steps.rend(), [](const Journal& step) { return !step.programs.empty(); });
  if (last == steps.rend()) return std::nullopt;
  return std::ranges::max_element(last->programs, {}, &Journal::Program::operations)->memory;
}

}  // namespace

int64_t Report::count(Severity severity) const {
  return std::ranges::count(findings, severity, &Finding::severity);
}

Examination::Examination(ExaminationOptions options) : options_(std::move(options)) {
  if (!(options_.tolerance >= 0))
    fail("the tolerance must be a number from 0 on, got {}", options_.tolerance);
}

void Examination::begin_step() { trace::start_journal(); }

void Examination::end_step() { steps_.push_back(trace::end_journal()); }

void Examination::output(std::string name, double difference) {
  outputs_.push_back({std::move(name), difference});
}

void Examination::not_compared(std::string why) { not_compared_ = std::move(why); }

Report Examination::report() const {
  Report report{.subject = options_.subject,
                .findings = find_troubles(steps_, outputs_, options_.tolerance),
                .memory = memory_plan(steps_),
                .tolerance = options_.tolerance,
                .outputs = outputs_,
                .not_compared = not_compared_};
  for (const Journal& step : steps_) report.steps.push_back(summary(step));
  report.compile_count = compile_count(report.steps);
  return report;
}

}  // namespace ippatsu::check
