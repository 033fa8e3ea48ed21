#pragma once

// Made-up results for the tests of this folder: a run as it should be, and everything that should
// not break a picture.

#include <map>
#include <string>

#include "report/chart.h"
#include "report/run_report.h"

namespace ippatsu::report {

RunReport sample_report();

// The same with text meant to break out of markup, and numbers that are none.
RunReport hostile_report();

// Charts by name, ordinary ones and ones at the edge: nothing in them, one point, gaps, huge and
// tiny ranges, many series, a hundred thousand points.
std::map<std::string, Chart> sample_charts();

}  // namespace ippatsu::report
