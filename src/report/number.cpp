#include "report/number.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace ippatsu::report {

namespace {

constexpr double kPlainLimit = 1e15;  // beyond it a double's last digits are noise
constexpr std::string_view kMinus = "-";

std::string group_thousands(std::string digits) {
  const size_t sign = digits.starts_with(kMinus) ? 1 : 0;
  size_t place = std::min(digits.find('.'), digits.size());
  while (place > sign + 3) {
    place -= 3;
    digits.insert(place, 1, ',');
  }
  return digits;
}

// "-0.00" reads as a fault; a rounded zero has no sign.
std::string without_signed_zero(std::string digits) {
  const bool zero = digits.find_first_of("123456789") == std::string::npos;
  if (zero && digits.starts_with(kMinus)) digits.erase(0, kMinus.size());
  return digits;
}

// Decimals that tell multiples of `step` apart.
int decimals_of(double step) {
  if (!(step > 0) || !std::isfinite(step)) return 0;
  const double exponent = std::floor(std::log10(step) + 1e-9);
  int decimals = static_cast<int>(std::clamp(-exponent, 0.0, 12.0));
  const double mantissa = step / std::pow(10.0, exponent);
  if (std::abs(mantissa - std::round(mantissa)) > 1e-6 && exponent <= 0) ++decimals;  // 0.25
  return decimals;
}

}  // namespace

std::string format_number(double value, int decimals) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  if (std::abs(value) >= kPlainLimit) return fmt::format("{:.4g}", value);
  decimals = std::clamp(decimals, 0, 15);
  return group_thousands(without_signed_zero(fmt::format("{:.{}f}", value, decimals)));
}

std::string format_value(double value) {
  if (std::isfinite(value) && std::abs(value) < 1000) return fmt::format("{:.4g}", value);
  return format_number(value);
}

std::string format_tick(double value, double step) {
  const double size = std::max(std::abs(value), std::abs(step));
  if (value == 0) return "0";
  if (!std::isfinite(value) || size >= kPlainLimit || size < 1e-4)
    return fmt::format("{:.6g}", value);
  struct Suffix {
    double unit;
    std::string_view text;
  };
  for (const auto& [unit, text] : {Suffix{1e12, "T"}, Suffix{1e9, "G"}, Suffix{1e6, "M"}})
    if (std::abs(value) >= unit)
      return format_number(value / unit, decimals_of(step / unit)) + std::string(text);
  return format_number(value, decimals_of(step));
}

std::string format_power(int base, int exponent) {
  static constexpr std::string_view kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = fmt::format("{}{}", base, exponent < 0 ? "⁻" : "");
  for (char digit : std::to_string(std::abs(exponent))) text += kRaised[digit - '0'];
  return text;
}

}  // namespace ippatsu::report
