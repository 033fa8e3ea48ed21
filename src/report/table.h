#pragma once

// One table, for the terminal and for a page:
//
//     Table table{.columns = {{"device"}, {"speed", "samples/s", 1}}};
//     table.rows = {{"ours", 1892.43}, {"eager", 1604.0}};
//     text_table(table):   device        speed
//                                    samples/s
//                          ──────  ─────────
//                          ours      1,892.4
//                          eager     1,604.0

#include <string>
#include <variant>
#include <vector>

namespace ippatsu::report {

struct Column {
  std::string title;
  std::string unit = {};
  int decimals = 0;  // of the numbers in it
};

// A text (set left) or a number (set right, grouped; NaN is a dash).
using Cell = std::variant<std::string, double>;

// Rows may be shorter or longer than `columns`: missing cells are empty, spare ones are left out.
struct Table {
  std::string caption = {};
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

// The table in a fixed-width font, each line ending in a newline. Never empty: a table without rows
// says so.
std::string text_table(const Table& table);

// The same as an HTML <table> element, well-formed as XML too.
std::string html_table(const Table& table);

}  // namespace ippatsu::report
