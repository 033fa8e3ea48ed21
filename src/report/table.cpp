#include "report/table.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/markup.h"
#include "report/number.h"

namespace ippatsu::report {

namespace {

constexpr std::string_view kGap = "  ";

std::string cell_text(const Table& table, size_t row, size_t column) {
  const auto& cells = table.rows[row];
  if (column >= cells.size()) return "";
  if (const auto* text = std::get_if<std::string>(&cells[column])) return *text;
  return format_number(std::get<double>(cells[column]), table.columns[column].decimals);
}

// Line breaks would tear a row apart, escape sequences could command the terminal.
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// A column is set right if it holds any number.
bool is_numeric(const Table& table, size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& cells) {
    return column < cells.size() && std::holds_alternative<double>(cells[column]);
  });
}

// One column laid out for the terminal: title, unit (if any column has one), rows.
struct TextColumn {
  std::vector<std::string> lines;
  bool right;
  int width = 0;
};

TextColumn lay_out(const Table& table, size_t column, bool with_units) {
  TextColumn result{{table.columns[column].title}, is_numeric(table, column)};
  if (with_units) result.lines.push_back(table.columns[column].unit);
  for (size_t row = 0; row < table.rows.size(); ++row)
    result.lines.push_back(cell_text(table, row, column));
  for (auto& line : result.lines) {
    std::replace_if(line.begin(), line.end(), is_control, ' ');
    result.width = std::max(result.width, display_width(line));
  }
  return result;
}

std::string repeat(std::string_view text, int times) {
  std::string repeated;
  for (int i = 0; i < times; ++i) repeated += text;
  return repeated;
}

std::string padded(const std::string& text, const TextColumn& column) {
  const std::string space(static_cast<size_t>(column.width - display_width(text)), ' ');
  return column.right ? space + text : text + space;
}

void append_line(std::string& out, const std::vector<std::string>& cells) {
  std::string line = fmt::format("{}", fmt::join(cells, kGap));
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

std::string html_row(const Table& table, size_t row) {
  std::string out = "<tr>";
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const auto text = escape(cell_text(table, row, column));
    out += is_numeric(table, column) ? fmt::format("<td class=\"number\">{}</td>", text)
                                     : fmt::format("<td>{}</td>", text);
  }
  return out + "</tr>\n";
}

std::string html_title(const Table& table, size_t column) {
  const auto& [title, unit, decimals] = table.columns[column];
  const auto small = unit.empty() ? "" : fmt::format(" <small>{}</small>", escape(unit));
  return fmt::format("<th scope=\"col\"{}>{}{}</th>",
                     is_numeric(table, column) ? " class=\"number\"" : "", escape(title), small);
}

}  // namespace

std::string text_table(const Table& table) {
  const bool with_units = std::any_of(table.columns.begin(), table.columns.end(),
                                      [](const Column& column) { return !column.unit.empty(); });
  std::vector<TextColumn> columns;
  std::vector<std::string> rules;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    columns.push_back(lay_out(table, i, with_units));
    rules.push_back(repeat("─", columns.back().width));
  }
  const size_t head = with_units ? 2 : 1;
  std::string out = table.caption.empty() ? "" : table.caption + '\n';
  for (size_t line = 0; line < head + table.rows.size(); ++line) {
    std::vector<std::string> cells;
    for (const auto& column : columns) cells.push_back(padded(column.lines[line], column));
    append_line(out, cells);
    if (line + 1 == head) append_line(out, rules);
  }
  if (table.rows.empty()) out += "(no rows)\n";
  return out;
}

std::string html_table(const Table& table) {
  std::string out = "<table>\n";
  if (!table.caption.empty()) out += fmt::format("<caption>{}</caption>\n", escape(table.caption));
  out += "<thead><tr>";
  for (size_t column = 0; column < table.columns.size(); ++column) out += html_title(table, column);
  out += "</tr></thead>\n<tbody>\n";
  for (size_t row = 0; row < table.rows.size(); ++row) out += html_row(table, row);
  if (table.rows.empty())
    out += fmt::format("<tr><td colspan=\"{}\">(no rows)</td></tr>\n",
                       std::max<size_t>(1, table.columns.size()));
  return out + "</tbody>\n</table>\n";
}

}  // namespace ippatsu::report
