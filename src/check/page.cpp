#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "check/present.h"
#include "check/wording.h"
#include "report/html.h"

namespace ippatsu::check {

namespace {

using report::Section;

report::Callout callout(const Finding& finding) {
  report::Callout out{
      .tone = finding.severity == Severity::Trouble ? report::Tone::Warning : report::Tone::Plain,
      .label = std::string(name(finding.severity)),
      .title = finding.what};
  if (!finding.where.empty()) out.facts.rows.emplace_back("Where", finding.where);
  if (const std::string often = how_often(finding); !often.empty())
    out.facts.rows.emplace_back("How often", often);
  out.facts.rows.emplace_back("Why it matters", info(finding.kind).meaning);
  out.facts.rows.emplace_back("What to do", finding.advice);
  return out;
}

std::string largest_difference(const Report& report) {
  double largest = 0;
  for (const Output& output : report.outputs)
    if (!(output.difference <= largest)) largest = output.difference;
  return fmt::format("{:.1e}", largest);
}

report::Figures figures(const Report& report) {
  report::Figures out;
  out.figures.push_back({fmt::format("{}", report.count(Severity::Trouble)), "",
                         report.count(Severity::Trouble) == 1 ? "trouble" : "troubles"});
  const size_t space = report.compile_count.find(' ');
  const bool is_plain = report.compile_count.ends_with("in all");
  out.figures.push_back({is_plain ? report.compile_count.substr(0, space) : report.compile_count,
                         "", "programs compiled" + std::string(is_plain ? " in all" : "")});
  if (report.memory)
    out.figures.push_back({memory_rows(report).back().second, "", "of memory for a step"});
  if (!report.outputs.empty() && report.not_compared.empty())
    out.figures.push_back(
        {largest_difference(report), "", "largest relative difference to the CPU"});
  return out;
}

Section findings(const Report& report) {
  Section section{.heading = "Findings"};
  for (const Finding& finding : report.findings) section.blocks.emplace_back(callout(finding));
  if (report.findings.empty())
    section.blocks.emplace_back(report::Paragraph{
        "Nothing here keeps the step from running as compiled programs, without a wait."});
  return section;
}

Section comparison(const Report& report) {
  Section section{.heading = "Beside the CPU"};
  if (const std::string remark = comparison_remark(report); !remark.empty())
    section.blocks.emplace_back(report::Paragraph{remark});
  else
    section.blocks.emplace_back(outputs_table(report));
  return section;
}

}  // namespace

std::string to_html(const Report& report) {
  return report::html(
      {.title = "Port check: " + report.subject,
       .subtitle =
           fmt::format("{} in {} steps on the device", verdict(report), report.steps.size()),
       .summary = {figures(report)},
       .sections = {
           findings(report),
           {"The steps",
            {steps_table(report),
             report::Paragraph{"Programs compiled: " + report.compile_count + "."}}},
           {"Memory of the largest program of a step", {report::KeyValues{memory_rows(report)}}},
           comparison(report)}});
}

}  // namespace ippatsu::check
