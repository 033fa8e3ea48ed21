#include "report/axis.h"

#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ippatsu::report {

namespace {

using testing::ElementsAre;

std::vector<std::string> labels(Scale scale, std::vector<double> values, Ends ends, int most) {
  const AxisRange range({.label = "", .scale = scale}, values, ends, most);
  std::vector<std::string> result;
  for (const auto& tick : range.ticks()) result.push_back(tick.label);
  return result;
}

}  // namespace

TEST(Axis, LinearTicksAreRound) {
  EXPECT_THAT(labels(Scale::Linear, {0.07, 0.93}, Ends::Round, 6),
              ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(Scale::Linear, {3, 47}, Ends::Tight, 5), ElementsAre("10", "20", "30", "40"));
  EXPECT_THAT(labels(Scale::Linear, {-1500, 2e3}, Ends::Round, 5),
              ElementsAre("-2,000", "-1,000", "0", "1,000", "2,000"));
}

TEST(Axis, LogarithmicTicksArePowers) {
  EXPECT_THAT(
      labels(Scale::Log2, {1, 2048}, Ends::Tight, 12),
      ElementsAre("1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1,024", "2,048"));
  EXPECT_THAT(labels(Scale::Log2, {1, 2048}, Ends::Tight, 6),
              ElementsAre("1", "4", "16", "64", "256", "1,024"));
  EXPECT_THAT(labels(Scale::Log10, {12, 1900}, Ends::Round, 6),
              ElementsAre("10", "20", "50", "100", "200", "500", "1,000", "2,000"));
  EXPECT_THAT(labels(Scale::Log10, {1e-9, 1e9}, Ends::Round, 6),
              ElementsAre("10⁻¹⁰", "10⁻⁵", "10⁰", "10⁵", "10¹⁰"));
}

TEST(Axis, ZeroIsShownWhereAsked) {
  const AxisRange range({.label = "", .from_zero = true}, {1.2, 1.9}, Ends::Round, 5);
  EXPECT_EQ(range.low(), 0);
  EXPECT_EQ(range.high(), 2);
}

TEST(Axis, EveryRangeHasAPlaceForEveryValue) {
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double values[] = {0,     -1,   1,     1 + 1e-15, 1e-12, kTiny, -kTiny,    1e-300,
                           1e300, kMax, -kMax, 12345,     0.1,   kNaN,  kInfinity, -kInfinity};
  for (Scale scale : {Scale::Linear, Scale::Log2, Scale::Log10})
    for (Ends ends : {Ends::Tight, Ends::Round})
      for (double a : values)
        for (double b : values) {
          SCOPED_TRACE(testing::Message() << "scale " << int(scale) << " of " << a << ", " << b);
          const AxisRange range({.label = "", .scale = scale}, {a, b}, ends, 6);
          EXPECT_LT(range.low(), range.high());
          EXPECT_TRUE(plottable(scale, range.low()) && plottable(scale, range.high()));
          EXPECT_LE(range.ticks().size(), 24u);
          std::set<std::string> labels;
          double previous = -0.1;
          for (const auto& tick : range.ticks()) {
            EXPECT_TRUE(labels.insert(tick.label).second) << "twice: " << tick.label;
            EXPECT_GT(range.position(tick.value), previous);
            previous = range.position(tick.value);
          }
          for (double value : {a, b})
            if (plottable(scale, value)) {
              EXPECT_GE(range.position(value), 0);
              EXPECT_LE(range.position(value), 1);
            }
        }
}

TEST(Axis, CountsInWholeSteps) {
  const AxisRange range({.label = "", .whole = true}, {0, 3}, Ends::Tight, 8);
  ASSERT_EQ(range.ticks().size(), 4U);
  EXPECT_EQ(range.ticks()[3].label, "3");
}

TEST(Axis, PutsTheLowEndOnTopWhereItIsReversed) {
  const AxisRange range({.label = "", .reversed = true}, {1, 4}, Ends::Tight, 4);
  EXPECT_EQ(range.position(1), 1);
  EXPECT_EQ(range.position(4), 0);
}

}  // namespace ippatsu::report
