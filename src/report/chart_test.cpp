#include "report/chart.h"

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/samples.h"

namespace ippatsu::report {

namespace {

using testing::HasSubstr;
using testing::Not;

int count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<int>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
}

Chart two_lines() {
  return {.title = "Two",
          .x = {"x"},
          .y = {"y"},
          .series = {{"first", {{0, 0}, {1, 2}}}, {"second", {{0, 1}, {1, 2}}}}};
}

}  // namespace

TEST(Chart, NoSampleHoldsANumberThatIsNone) {
  for (const auto& [name, chart] : sample_charts())
    for (const ChartSize size : {ChartSize{}, kNarrowChart, ChartSize{0, -5}}) {
      const std::string picture = svg(chart, size);
      EXPECT_THAT(picture, Not(HasSubstr("nan"))) << name;
      EXPECT_THAT(picture, Not(HasSubstr("inf"))) << name;
    }
}

TEST(Chart, LinesBreakAtGaps) {
  Chart chart = two_lines();
  chart.series = {{"one", {{0, 1}, {1, 2}, {2, Point::kNone}, {3, 1}, {4, 2}}}};
  EXPECT_EQ(count(svg(chart), "class=\"line\""), 2);
}

TEST(Chart, APointIsDrawnWhereItBelongs) {
  Chart chart = two_lines();
  chart.series = {{"one", {{0, 0}, {5, 5}, {10, 10}}}};
  const std::string picture = svg(chart);
  const std::regex line(
      "class=\"line\" d=\"M([0-9.]+) ([0-9.]+) ([0-9.]+) ([0-9.]+) "
      "([0-9.]+) ([0-9.]+) \"");
  std::smatch at;
  ASSERT_TRUE(std::regex_search(picture, at, line));
  EXPECT_NEAR(std::stod(at[3]), (std::stod(at[1]) + std::stod(at[5])) / 2, 0.1);
  EXPECT_NEAR(std::stod(at[4]), (std::stod(at[2]) + std::stod(at[6])) / 2, 0.1);
  EXPECT_LT(std::stod(at[1]), std::stod(at[5]));
  EXPECT_GT(std::stod(at[2]), std::stod(at[6]));
}

TEST(Chart, NamesStandBesideTheLinesOrInALegend) {
  const std::string legend = "class=\"line\" d=\"M[0-9.]+ [0-9.]+h22\"";
  EXPECT_EQ(count(svg(two_lines()), legend), 0);
  EXPECT_EQ(count(svg(two_lines()), "<text class=\"s[01] name\" [^>]*>(first|second)</text>\n"), 2);
  EXPECT_EQ(count(svg(two_lines(), kNarrowChart), legend), 2);
}

TEST(Chart, LabelsOfLinesThatEndTogetherStandApart) {
  const std::string picture = svg(two_lines());
  const std::regex label("<text class=\"s. name\" x=\"[0-9.]+\" y=\"([0-9.]+)\">[a-z]+</text>\n");
  std::vector<double> heights;
  for (std::sregex_iterator i(picture.begin(), picture.end(), label), end; i != end; ++i)
    heights.push_back(std::stod((*i)[1]));
  ASSERT_EQ(heights.size(), 2u);
  EXPECT_GE(std::abs(heights[0] - heights[1]), 16);
}

TEST(Chart, SpreadsAreBandsOrBars) {
  Chart chart = two_lines();
  chart.series = {{"one", {{0, 1, 0, 2}, {1, 2, 1, 3}, {2, 2}}}};
  EXPECT_EQ(count(svg(chart), "class=\"band\""), 1);
  chart.series[0].spread = Spread::Bars;
  EXPECT_EQ(count(svg(chart), "class=\"bar\""), 2);
}

TEST(Chart, ItCanBeReadWithoutSeeingIt) {
  Chart chart = two_lines();
  chart.description = "Both rise.";
  EXPECT_THAT(svg(chart), HasSubstr("role=\"img\""));
  EXPECT_THAT(svg(chart), HasSubstr("<title>Two</title>\n<desc>Both rise.</desc>"));
}

TEST(Chart, SizeDoesNotGrowWithTheNumberOfPoints) {
  EXPECT_LT(svg(sample_charts().at("long")).size(), 200'000u);
}

TEST(Chart, NothingToShowSaysSo) {
  EXPECT_THAT(svg({}), HasSubstr("no data"));
  EXPECT_THAT(svg(sample_charts().at("no-points")), HasSubstr("no data"));
  EXPECT_THAT(svg(two_lines()), Not(HasSubstr("no data")));
}

}  // namespace ippatsu::report
