#include "report/number.h"

#include <limits>

#include <gtest/gtest.h>

namespace ippatsu::report {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct NumberCase {
  double value;
  double precision;  // decimals, or the step between ticks
  const char* text;
};

}  // namespace

TEST(Number, IsGroupedAndRounded) {
  const NumberCase cases[] = {
      {0, 0, "0"},           {999, 0, "999"},
      {1000, 0, "1,000"},    {-1234567.891, 2, "-1,234,567.89"},
      {-123, 0, "-123"},     {0.5, 3, "0.500"},
      {-0.001, 2, "0.00"},   {1e15, 0, "1e+15"},
      {1e308, 1, "1e+308"},  {999999.96, 1, "1,000,000.0"},
      {kNaN, 1, "–"},        {kInfinity, 1, "∞"},
      {-kInfinity, 1, "-∞"}, {12, -5, "12"},
  };
  for (const auto& [value, decimals, text] : cases)
    EXPECT_EQ(format_number(value, static_cast<int>(decimals)), text);
}

TEST(Number, ATickShowsJustTheDecimalsThatMatter) {
  const NumberCase cases[] = {
      {0, 0.1, "0"},         {0.30000000000000004, 0.1, "0.3"},
      {1, 0.25, "1.00"},     {12500, 2500, "12,500"},
      {2.5e6, 5e5, "2.5M"},  {3e9, 1e9, "3G"},
      {1e20, 1e19, "1e+20"}, {2e-7, 1e-7, "2e-07"},
      {1.5, 0.5, "1.5"},     {-40, 20, "-40"},
      {kNaN, 1, "nan"},      {5e-324, 5e-324, "4.94066e-324"},
  };
  for (const auto& [value, step, text] : cases) EXPECT_EQ(format_tick(value, step), text);
}

TEST(Number, AValueHasFourSignificantDigits) {
  EXPECT_EQ(format_value(0.0123456), "0.01235");
  EXPECT_EQ(format_value(12), "12");
  EXPECT_EQ(format_value(1892.4), "1,892");
  EXPECT_EQ(format_value(kNaN), "–");
}

TEST(Number, PowersAreRaised) {
  EXPECT_EQ(format_power(2, 40), "2⁴⁰");
  EXPECT_EQ(format_power(10, -9), "10⁻⁹");
  EXPECT_EQ(format_power(10, 0), "10⁰");
}

}  // namespace ippatsu::report
