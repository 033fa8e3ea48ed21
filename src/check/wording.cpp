#include "check/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/number.h"

namespace ippatsu::check {

namespace {

constexpr size_t kOutputsShown = 12;

std::string counted(int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

double number(int64_t value) { return static_cast<double>(value); }

// NaN is the worst.
bool differs_more(const Output& a, const Output& b) {
  if (std::isnan(a.difference) || std::isnan(b.difference)) return std::isnan(a.difference);
  return a.difference > b.difference;
}

}  // namespace

std::string verdict(const Report& report) {
  const int64_t troubles = report.count(Severity::Trouble), notes = report.count(Severity::Note);
  if (troubles == 0 && notes == 0) return "nothing found";
  if (troubles == 0) return "no trouble, " + counted(notes, "note");
  if (notes == 0) return counted(troubles, "trouble");
  return counted(troubles, "trouble") + " and " + counted(notes, "note");
}

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{} {}", report::format_number(bytes, unit == 0 ? 0 : 1), kUnits[unit]);
}

std::string how_often(const Finding& finding) {
  std::string text;
  if (finding.per_step > 0) {
    const bool whole = finding.per_step == std::floor(finding.per_step);
    text = report::format_number(finding.per_step, whole ? 0 : 2) + " a step";
  }
  if (finding.bytes == 0) return text;
  return text + (text.empty() ? "" : ", ") + bytes_text(number(finding.bytes)) +
         (text.empty() ? "" : " each step");
}

report::Table steps_table(const Report& report) {
  report::Table table{.columns = {{"step"},
                                  {"programs"},
                                  {"compiled"},
                                  {"compiling", "s", 2},
                                  {"operations"},
                                  {"host ops"},
                                  {"host reads"},
                                  {"size reads"}}};
  for (size_t i = 0; i < report.steps.size(); ++i) {
    const Step& step = report.steps[i];
    table.rows.push_back({static_cast<double>(i + 1), number(step.programs), number(step.compiles),
                          step.compile_seconds, number(step.operations), number(step.host_ops),
                          number(step.host_reads), number(step.size_reads)});
  }
  return table;
}

report::Table outputs_table(const Report& report) {
  report::Table table{.columns = {{"output"}, {"difference", "relative"}, {"tolerance"}, {""}}};
  std::vector<Output> outputs = report.outputs;
  std::ranges::stable_sort(outputs, differs_more);
  outputs.resize(std::min(outputs.size(), kOutputsShown));
  for (const Output& output : outputs) {
    table.rows.push_back({output.name, fmt::format("{:.1e}", output.difference),
                          fmt::format("{:.0e}", report.tolerance),
                          output.difference <= report.tolerance ? "as the CPU" : "differs"});
  }
  if (const size_t more = report.outputs.size() - outputs.size())
    table.rows.push_back({fmt::format("{} more that differ less", more)});
  return table;
}

std::vector<std::pair<std::string, std::string>> memory_rows(const Report& report) {
  if (!report.memory) return {{"Memory", "the plugin does not say"}};
  const auto& [arguments, outputs, temporaries, aliased, code] = *report.memory;
  return {{"Arguments", bytes_text(number(arguments))},
          {"Outputs", bytes_text(number(outputs))},
          {"Temporaries", bytes_text(number(temporaries))},
          {"Aliased", bytes_text(number(aliased)) + ", in arguments and outputs, but taken once"},
          {"In all", bytes_text(number(arguments + outputs + temporaries - aliased))}};
}

std::string comparison_remark(const Report& report) {
  if (!report.not_compared.empty()) return "Not compared: " + report.not_compared;
  return report.outputs.empty() ? "Not compared: the step gives no tensor" : "";
}

}  // namespace ippatsu::check
