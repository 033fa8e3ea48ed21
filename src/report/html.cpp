#include "report/html.h"

#include <fmt/format.h>

#include "report/markup.h"
#include "report/page_css.h"

namespace ippatsu::report {

namespace {

std::string render(const Paragraph& paragraph) {
  return fmt::format("<p>{}</p>\n", escape(paragraph.text));
}

std::string render(const Figures& figures) {
  std::string out = "<div class=\"figures\">\n";
  for (const auto& [value, unit, label] : figures.figures) {
    const auto small = unit.empty() ? "" : fmt::format("<small>{}</small>", escape(unit));
    out += fmt::format("<div class=\"card\"><b>{}{}</b><span>{}</span></div>\n", escape(value),
                       small, escape(label));
  }
  return out + "</div>\n";
}

std::string render(const Table& table) {
  return fmt::format("<div class=\"card\"><div class=\"scroll\">{}</div></div>\n",
                     html_table(table));
}

// A picture drawn for a wide screen would be illegible shrunk to a phone's width: there are two,
// and the style sheet shows one.
std::string render(const Chart& chart) {
  return fmt::format(
      "<figure class=\"card\"><div class=\"wide\">{}</div><div class=\"narrow\">{}</div>"
      "</figure>\n",
      svg(chart), svg(chart, kNarrowChart));
}

std::string definitions(const KeyValues& values) {
  std::string out = "<dl>\n";
  for (const auto& [key, value] : values.rows)
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape(key), escape(value));
  return out + "</dl>";
}

std::string render(const KeyValues& values) {
  return fmt::format("<div class=\"card\">{}</div>\n", definitions(values));
}

std::string render(const Callout& callout) {
  const auto label =
      callout.label.empty() ? "" : fmt::format("<small>{}</small>", escape(callout.label));
  return fmt::format("<div class=\"card callout{}\"><h3>{}{}</h3>{}</div>\n",
                     callout.tone == Tone::Warning ? " warning" : "", label, escape(callout.title),
                     definitions(callout.facts));
}

std::string render(const std::vector<Block>& blocks) {
  std::string out;
  for (const auto& block : blocks)
    out += std::visit([](const auto& content) { return render(content); }, block);
  return out;
}

}  // namespace

std::string_view page_style() { return kPageCss; }

std::string html(const Page& page) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  out += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
                     escape(page.title), page_style());
  out += fmt::format("<header>\n<h1>{}</h1>\n", escape(page.title));
  if (!page.subtitle.empty()) out += fmt::format("<p>{}</p>\n", escape(page.subtitle));
  out += "</header>\n" + render(page.summary);
  for (const auto& [heading, blocks] : page.sections)
    out += fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escape(heading), render(blocks));
  if (!page.footer.empty()) out += fmt::format("<footer>{}</footer>\n", escape(page.footer));
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace ippatsu::report
