#include "report/html.h"

#include <fmt/format.h>

#include "report/markup.h"

namespace ippatsu::report {

namespace {

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--page:#f4f6f8;--card:#fff;--ink:#1f2328;--soft:#59636e;
--rule:#e1e5ea;--accent:#0069a8;--warn:#b3430a;--warned:#fdf0e8}
@media(prefers-color-scheme:dark){:root{--page:#0e1116;--card:#171b21;--ink:#e8ebef;
--soft:#9aa4b0;--rule:#2a3038;--accent:#56b4e9;--warn:#f0965a;--warned:#2b1f17}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);line-height:1.55;
font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',sans-serif}
main{max-width:920px;margin:0 auto;padding:48px 24px 32px}
h1{font-size:32px;line-height:1.2;letter-spacing:-.02em;margin:0}
h1+p{font-size:18px;color:var(--soft);margin:8px 0 0}
header{border-left:4px solid var(--accent);padding-left:18px;margin-bottom:32px}
h2{font-size:22px;letter-spacing:-.01em;margin:48px 0 12px}
p{margin:12px 0;max-width:68ch;overflow-wrap:anywhere}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(190px,1fr));gap:14px;
margin:20px 0}
.card{background:var(--card);border:1px solid var(--rule);border-radius:12px;margin:18px 0;
overflow:hidden}
.figures .card{margin:0;padding:16px 18px}
.figures b{display:block;font-size:27px;font-weight:650;letter-spacing:-.02em;line-height:1.25;
font-variant-numeric:tabular-nums}
.figures b small{font-size:15px;font-weight:500;color:var(--soft);letter-spacing:0;margin-left:4px}
.figures span{color:var(--soft);font-size:14px;line-height:1.35;display:block}
.chart{display:block;width:100%;height:auto}
figure{padding:6px}
.narrow{display:none}
.scroll{overflow-x:auto;padding:6px 18px 10px}
table{border-collapse:collapse;width:100%;font-size:14.5px;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:10px 0 6px}
th{font-weight:600;color:var(--soft);text-align:left;vertical-align:bottom;line-height:1.3}
th small{display:block;font-weight:400;font-size:12.5px}
th,td{padding:7px 0 7px 20px;border-bottom:1px solid var(--rule);white-space:nowrap}
th:first-child,td:first-child{padding-left:0}
tbody tr:last-child td{border-bottom:0}
.number{text-align:right}
dl{display:grid;grid-template-columns:max-content 1fr;margin:0;padding:8px 18px;font-size:14.5px}
dt,dd{margin:0;padding:7px 0;border-bottom:1px solid var(--rule)}
dt{color:var(--soft);padding-right:28px}
dd{overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
dt:last-of-type,dd:last-of-type{border-bottom:0}
.callout{border-left:4px solid var(--accent)}
.callout h3{font-size:16.5px;line-height:1.4;margin:0;padding:14px 18px 12px;
border-bottom:1px solid var(--rule);overflow-wrap:anywhere}
.callout h3 small{display:inline-block;font-size:12px;font-weight:600;line-height:1;
letter-spacing:.02em;color:var(--accent);border:1px solid currentColor;border-radius:99px;
padding:3px 8px;margin-right:10px;vertical-align:1px}
.warning{border-left-color:var(--warn)}
.warning h3{background:var(--warned)}
.warning h3 small{color:var(--warn)}
.callout dl{grid-template-columns:10em 1fr}
footer{margin-top:48px;color:var(--soft);font-size:13.5px}
@media(max-width:600px){main{padding:28px 14px}h1{font-size:26px}.wide{display:none}
.narrow{display:block}.figures{grid-template-columns:1fr 1fr;gap:10px}.figures b{font-size:22px}
.figures .card{padding:12px 14px}dl{grid-template-columns:2fr 3fr}
dt{padding-right:14px}table{font-size:13.5px}th,td{padding-left:14px}}
@media print{body{background:none}.card{break-inside:avoid}main{padding:0;max-width:none}}
)css";

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

std::string html(const Page& page) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  out += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
                     escape(page.title), kStyle);
  out += fmt::format("<header>\n<h1>{}</h1>\n", escape(page.title));
  if (!page.subtitle.empty()) out += fmt::format("<p>{}</p>\n", escape(page.subtitle));
  out += "</header>\n" + render(page.summary);
  for (const auto& [heading, blocks] : page.sections)
    out += fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escape(heading), render(blocks));
  if (!page.footer.empty()) out += fmt::format("<footer>{}</footer>\n", escape(page.footer));
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace ippatsu::report
