#include "report/curve.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ippatsu::report {

namespace {

constexpr double kNaN = Point::kNone;

std::vector<double> heights(const std::vector<Point>& points) {
  std::vector<double> result;
  for (const auto& point : points) result.push_back(point.y);
  return result;
}

int pixel(double x) { return static_cast<int>(x); }

}  // namespace

TEST(Curve, WhatCannotBeDrawnIsAGap) {
  const std::vector<Point> points = {{0, 1}, {1, kNaN}, {2, 3}, {3, 4}, {INFINITY, 5}, {4, -1}};
  const auto linear = split_at_gaps(points, Scale::Linear, Scale::Linear);
  ASSERT_EQ(linear.size(), 3u);
  EXPECT_THAT(heights(linear[1]), testing::ElementsAre(3, 4));
  const auto logarithmic = split_at_gaps(points, Scale::Log2, Scale::Log10);
  ASSERT_EQ(logarithmic.size(), 1u);
  EXPECT_THAT(heights(logarithmic[0]), testing::ElementsAre(3, 4));
  EXPECT_TRUE(split_at_gaps({}, Scale::Linear, Scale::Linear).empty());
}

TEST(Curve, ThinningKeepsTheOutline) {
  std::vector<Point> points;
  for (int i = 0; i < 1000; ++i) points.push_back({i / 100.0, i == 555 ? 99.0 : i % 7});
  const auto thinned = thin(points, pixel);
  EXPECT_LE(thinned.size(), 40u);
  EXPECT_EQ(thinned.front().x, 0);
  EXPECT_EQ(thinned.back().x, 9.99);
  EXPECT_THAT(heights(thinned), testing::Contains(99.0));
  const std::vector<Point> sparse = {{0, 1}, {1, 2}, {2, 3}};
  EXPECT_EQ(heights(thin(sparse, pixel)), heights(sparse));
}

TEST(Curve, AThinnedSpreadCoversAll) {
  const auto thinned =
      thin_spread({{0, 1}, {0.1, 1, 0, 2}, {0.2, 1, -1, 1.5}, {1, 1}}, Scale::Linear, pixel);
  ASSERT_EQ(thinned.size(), 1u);
  EXPECT_EQ(thinned[0].low, -1);
  EXPECT_EQ(thinned[0].high, 2);
}

TEST(Curve, SmoothingHasNoBiasAndKeepsGaps) {
  EXPECT_THAT(heights(smooth({{0, 5}, {1, 5}, {2, 5}}, 0.9)),
              testing::Each(testing::DoubleNear(5, 1e-12)));
  const auto smoothed = smooth({{0, 0}, {1, kNaN}, {2, 3}}, 0.5);
  EXPECT_TRUE(std::isnan(smoothed[1].y));
  EXPECT_DOUBLE_EQ(smoothed[2].y, 2);  // (0 * 1/4 + 3 * 1/2) / (3/4)
}

}  // namespace ippatsu::report
