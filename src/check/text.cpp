#include <sstream>

#include <fmt/format.h>

#include "check/present.h"
#include "check/wording.h"
#include "report/markup.h"

namespace ippatsu::check {

namespace {

constexpr int kWidth = 96;
constexpr std::string_view kIndent = "  ";

// The words in lines of at most kWidth, each indented.
std::string wrapped(const std::string& text) {
  std::string out, line;
  std::istringstream words(report::valid_utf8(text));
  const auto end_line = [&] {
    if (!line.empty()) out += fmt::format("{}{}\n", kIndent, line);
    line.clear();
  };
  for (std::string word; words >> word;) {
    if (!line.empty() && report::display_width(line) + report::display_width(word) >= kWidth)
      end_line();
    line += (line.empty() ? "" : " ") + word;
  }
  end_line();
  return out;
}

std::string text(const Finding& finding) {
  std::string out = fmt::format("{}: {}\n", name(finding.severity), finding.what);
  const std::string often = how_often(finding);
  if (!finding.where.empty())
    out += wrapped("at " + finding.where + (often.empty() ? "" : ", " + often));
  else
    out += wrapped(often);
  return out + wrapped(std::string(info(finding.kind).meaning)) + wrapped("→ " + finding.advice) +
         "\n";
}

std::string memory(const Report& report) {
  std::string out;
  for (const auto& [name, value] : memory_rows(report))
    out += fmt::format("{}{:<12} {}\n", kIndent, name, value);
  return out;
}

}  // namespace

std::string to_text(const Report& report) {
  std::string out = fmt::format("{}: {}\n\n", report::valid_utf8(report.subject), verdict(report));
  for (const Finding& finding : report.findings) out += text(finding);
  out += report::text_table(steps_table(report));
  out += fmt::format("\nprograms compiled: {}\n", report.compile_count);
  out += "\nmemory of the largest program of a step\n" + memory(report) + "\n";
  const std::string remark = comparison_remark(report);
  return out + (remark.empty() ? report::text_table(outputs_table(report)) : remark + "\n");
}

}  // namespace ippatsu::check
