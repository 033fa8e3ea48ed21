#pragma once

// Line charts as SVG from a plain description:
//
//     Chart chart{.title = "Speed over eager",
//                 .x = {"batch size", Scale::Log2}, .y = {"samples/s over eager"},
//                 .series = {{"ippatsu", {{1, 1.4, 1.3, 1.5}, {2, 1.3, 1.2, 1.4}}}},
//                 .references = {{1, "eager"}}};
//     write_file_atomically("speed.svg", svg(chart));
//
// The picture is one well-formed XML document without outside resources. It follows the reader's
// light or dark preference, its colours can be told apart by colour-blind people, and where a
// pointer rests it shows the values there, all by style sheet, with no script.

#include <string>
#include <vector>

#include "report/axis.h"
#include "report/curve.h"

namespace ippatsu::report {

enum class Spread { Band, Bars };

struct Series {
  std::string name;
  std::vector<Point> points;  // in drawing order; points that cannot be shown are gaps
  bool dashed = false;
  Spread spread = Spread::Band;
  double smoothing = 0;  // above 0: the raw line faint, and a moving average with this weight
};

struct ReferenceLine {
  double y;
  std::string label;
};

struct Chart {
  std::string title;
  std::string description = {};  // for readers who do not see the picture
  Axis x;
  Axis y;
  std::vector<Series> series = {};
  std::vector<ReferenceLine> references = {};
};

struct ChartSize {
  int width = 760;
  int height = 400;
};

// For a phone held upright.
inline constexpr ChartSize kNarrowChart{360, 330};

// Series names stand beside the lines where there is room, else in a legend.
std::string svg(const Chart& chart, ChartSize size = {});

}  // namespace ippatsu::report
