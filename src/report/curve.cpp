#include "report/curve.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace ippatsu::report {

namespace {

// Calls `visit` with each longest stretch of points that share a pixel column.
void for_each_column(const std::vector<Point>& points, const std::function<int(double)>& column,
                     const std::function<void(std::span<const Point>)>& visit) {
  auto first = points.begin();
  while (first != points.end()) {
    const int here = column(first->x);
    const auto last =
        std::find_if(first, points.end(), [&](const Point& p) { return column(p.x) != here; });
    visit({first, last});
    first = last;
  }
}

bool lower(const Point& a, const Point& b) { return a.y < b.y; }

}  // namespace

bool has_spread(Scale y, const Point& point) {
  return plottable(y, point.low) && plottable(y, point.high);
}

std::vector<std::vector<Point>> split_at_gaps(const std::vector<Point>& points, Scale x, Scale y) {
  std::vector<std::vector<Point>> runs;
  bool in_gap = true;
  for (const auto& point : points) {
    const bool gap = !plottable(x, point.x) || !plottable(y, point.y);
    if (!gap && in_gap) runs.emplace_back();
    if (!gap) runs.back().push_back(point);
    in_gap = gap;
  }
  return runs;
}

std::vector<Point> thin(const std::vector<Point>& points,
                        const std::function<int(double)>& column) {
  std::vector<Point> kept;
  for_each_column(points, column, [&](std::span<const Point> group) {
    const auto [lowest, highest] = std::minmax_element(group.begin(), group.end(), lower);
    for (auto point = group.begin(); point != group.end(); ++point)
      if (point == group.begin() || point == lowest || point == highest ||
          point == std::prev(group.end()))
        kept.push_back(*point);
  });
  return kept;
}

std::vector<Point> thin_spread(const std::vector<Point>& points, Scale y,
                               const std::function<int(double)>& column) {
  std::vector<Point> kept;
  for_each_column(points, column, [&](std::span<const Point> group) {
    Point covering = group.front();
    for (const auto& point : group) {
      if (!has_spread(y, point)) continue;
      covering.low = has_spread(y, covering) ? std::min(covering.low, point.low) : point.low;
      covering.high = has_spread(y, covering) ? std::max(covering.high, point.high) : point.high;
    }
    if (has_spread(y, covering)) kept.push_back(covering);
  });
  return kept;
}

std::vector<Point> smooth(const std::vector<Point>& points, double weight) {
  std::vector<Point> smoothed;
  double sum = 0, mass = 0;
  for (const auto& point : points) {
    double y = point.y;
    if (std::isfinite(y)) {
      sum = weight * sum + (1 - weight) * y;
      mass = weight * mass + (1 - weight);
      y = sum / mass;
    }
    smoothed.push_back({point.x, y});
  }
  return smoothed;
}

}  // namespace ippatsu::report
