#pragma once

// The points of a line in a chart, and what becomes of them before they are drawn.

#include <functional>
#include <limits>
#include <vector>

#include "report/axis.h"

namespace ippatsu::report {

struct Point {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double x;
  double y;
  double low = kNone;  // the spread around y, if there is any
  double high = kNone;
};

bool has_spread(Scale y, const Point& point);

// Stretches of points that can be drawn; a point that cannot is a gap between two of them.
std::vector<std::vector<Point>> split_at_gaps(const std::vector<Point>& points, Scale x, Scale y);

// At most four points per pixel column, the first, lowest, highest and last of each, which draws
// the same picture as all of them (Jugel et al., "M4: A Visualization-Oriented Time Series Data
// Aggregation", VLDB 2014). `column` tells the pixel column of an x.
std::vector<Point> thin(const std::vector<Point>& points, const std::function<int(double)>& column);

// One point per pixel column whose spread covers all of that column's.
std::vector<Point> thin_spread(const std::vector<Point>& points, Scale y,
                               const std::function<int(double)>& column);

// Exponential moving average of y, without the bias towards the first values. `weight` is the
// share of the past, 0 <= weight < 1. Gaps stay gaps; the spread is dropped.
std::vector<Point> smooth(const std::vector<Point>& points, double weight);

}  // namespace ippatsu::report
