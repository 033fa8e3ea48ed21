#pragma once

// What the terminal and the page both say.

#include <string>
#include <utility>
#include <vector>

#include "check/report.h"
#include "report/table.h"

namespace ippatsu::check {

// "2 troubles and 1 note", "nothing found".
std::string verdict(const Report& report);

// "3 a step, 12.3 KB a step"; empty where there is nothing to count.
std::string how_often(const Finding& finding);

// "12.3 MB".
std::string bytes_text(double bytes);

report::Table steps_table(const Report& report);

// The outputs that differ most, each beside its tolerance.
report::Table outputs_table(const Report& report);

// Names and values; one row that says so where the plugin does not tell.
std::vector<std::pair<std::string, std::string>> memory_rows(const Report& report);

// Why there is nothing to compare; empty where there is.
std::string comparison_remark(const Report& report);

}  // namespace ippatsu::check
