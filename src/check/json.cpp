#include <cmath>
#include <nlohmann/json.hpp>

#include "check/present.h"
#include "check/wording.h"

namespace ippatsu::check {

namespace {

using nlohmann::ordered_json;

ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json();
}

ordered_json json(const Finding& finding) {
  return {{"kind", info(finding.kind).name},
          {"severity", name(finding.severity)},
          {"what", finding.what},
          {"where", finding.where},
          {"per_step", finding.per_step},
          {"bytes", finding.bytes},
          {"meaning", info(finding.kind).meaning},
          {"advice", finding.advice}};
}

ordered_json json(const Step& step) {
  return {{"programs", step.programs},
          {"compiles", step.compiles},
          {"compile_seconds", step.compile_seconds},
          {"operations", step.operations},
          {"host_ops", step.host_ops},
          {"host_reads", step.host_reads},
          {"size_reads", step.size_reads}};
}

ordered_json json(const std::optional<pjrt::MemoryPlan>& memory) {
  if (!memory) return {};
  return {{"arguments", memory->arguments},
          {"outputs", memory->outputs},
          {"temporaries", memory->temporaries},
          {"aliased", memory->aliased}};
}

template <typename Item>
ordered_json list(const std::vector<Item>& items) {
  ordered_json out = ordered_json::array();
  for (const Item& item : items) out.push_back(json(item));
  return out;
}

ordered_json outputs(const Report& report) {
  ordered_json out = ordered_json::array();
  for (const Output& output : report.outputs) {
    out.push_back({{"name", output.name},
                   {"difference", number(output.difference)},
                   {"within_tolerance", output.difference <= report.tolerance}});
  }
  return out;
}

}  // namespace

std::string to_json(const Report& report) {
  const ordered_json out{{"schema", "ippatsu.check/1"},
                         {"subject", report.subject},
                         {"verdict", verdict(report)},
                         {"troubles", report.count(Severity::Trouble)},
                         {"notes", report.count(Severity::Note)},
                         {"findings", list(report.findings)},
                         {"steps", list(report.steps)},
                         {"compile_count", report.compile_count},
                         {"memory", json(report.memory)},
                         {"tolerance", report.tolerance},
                         {"outputs", outputs(report)},
                         {"not_compared", comparison_remark(report)}};
  return out.dump(2, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ippatsu::check
