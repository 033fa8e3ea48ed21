#pragma once

// Numbers as people read them: grouped thousands, short tick labels, and a dash where there is
// none.

#include <string>

namespace ippatsu::report {

// "12,345.7" for (12345.67, 1). NaN is "–", the infinities "∞" and "-∞"; from 1e15 up the number is
// written as "1.5e+20".
std::string format_number(double value, int decimals = 0);

// About four significant digits, for a single value beside a picture: "0.01235", "12.3", "1,892".
std::string format_value(double value);

// The label of a tick on an axis whose ticks are `step` apart: just as many decimals as tell the
// ticks apart, "2.5M" for millions, powers of ten beyond that.
std::string format_tick(double value, double step);

// "2⁴⁰", "10⁻⁹".
std::string format_power(int base, int exponent);

}  // namespace ippatsu::report
