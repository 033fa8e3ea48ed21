#include "report/axis.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "report/number.h"

namespace ippatsu::report {

namespace {

constexpr double kHighest = std::numeric_limits<double>::max();
constexpr double kLowestPower = 1e-300;  // keeps clear of denormals
constexpr double kLeastRelativeSpan = 1e-9;
constexpr double kRounding = 1e-9;  // in steps: 2.9999999999 counts as 3

double clamp_finite(double value) { return std::clamp(value, -kHighest, kHighest); }

// high - low without overflow at the ends of a double's range.
double half_span(double low, double high) { return high / 2 - low / 2; }

// The smallest of 1, 2, 5, 10 times a power of ten that is at least `raw`.
double round_step(double raw) {
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power * (1 + kRounding)) return factor * power;
  return 10 * power;
}

int base_of(Scale scale) { return scale == Scale::Log2 ? 2 : 10; }

double log_of(Scale scale, double value) {
  return scale == Scale::Log2 ? std::log2(value) : std::log10(value);
}

// Powers people read at a glance as numbers; beyond them the exponent says more.
bool read_as_numbers(Scale scale, int first_exponent, int last_exponent) {
  return first_exponent >= -4 && last_exponent <= (scale == Scale::Log2 ? 20 : 6);
}

// The values a logarithmic axis may put ticks at: factors of one power.
std::vector<int> factors_for(Scale scale, double powers) {
  if (scale == Scale::Log2) return {1};
  if (powers <= 2.5) return {1, 2, 5};
  return {1};
}

std::string power_label(Scale scale, int factor, int exponent, bool as_number) {
  const double value = factor * std::pow(base_of(scale), exponent);
  if (as_number) return format_tick(value, value);
  const auto power = format_power(base_of(scale), exponent);
  return factor == 1 ? power : std::to_string(factor) + "·" + power;
}

// Ticks from at or below `low` to at or above `high`, as far as a double reaches.
std::vector<Tick> power_ticks(Scale scale, double low, double high, int most_ticks) {
  const double span = log_of(scale, high) - log_of(scale, low);
  const auto factors = factors_for(scale, span);
  const int stride =
      factors.size() > 1 ? 1 : std::max(1, static_cast<int>(round_step(span / most_ticks)));
  const auto step_at = [&](double value) { return log_of(scale, value) / stride; };
  const int first = stride * static_cast<int>(std::floor(step_at(low) + kRounding));
  const int last = stride * static_cast<int>(std::ceil(step_at(high) - kRounding));
  const bool as_numbers = read_as_numbers(scale, first, last);
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; exponent += stride)
    for (int factor : factors) {
      const double value = factor * std::pow(base_of(scale), exponent);
      if (std::isfinite(value) && value > 0)
        ticks.push_back({value, power_label(scale, factor, exponent, as_numbers)});
    }
  return ticks;
}

}  // namespace

bool plottable(Scale scale, double value) {
  return std::isfinite(value) && (scale == Scale::Linear || value > 0);
}

AxisRange::AxisRange(const Axis& axis, const std::vector<double>& values, Ends ends, int most_ticks)
    : scale_(axis.scale), reversed_(axis.reversed) {
  most_ticks = std::max(most_ticks, 2);
  gather(axis, values);
  if (scale_ == Scale::Linear)
    set_linear_ticks(ends, most_ticks, axis.whole ? 1 : 0);
  else
    set_power_ticks(ends, most_ticks);
}

void AxisRange::gather(const Axis& axis, const std::vector<double>& values) {
  low_ = std::numeric_limits<double>::infinity();
  high_ = -low_;
  for (double value : values) {
    if (!plottable(scale_, value)) continue;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  const bool linear = scale_ == Scale::Linear;
  if (low_ > high_) {
    low_ = linear ? 0 : 1;
    high_ = linear ? 1 : base_of(scale_);
  }
  if (linear && axis.from_zero) {
    low_ = std::min(low_, 0.0);
    high_ = std::max(high_, 0.0);
  }
  if (!linear) low_ = std::max(low_, kLowestPower), high_ = std::max(high_, kLowestPower);
}

double AxisRange::position(double value) const {
  const double share = scale_ == Scale::Linear ? half_span(low_, value) / half_span(low_, high_)
                                               : (log_of(scale_, value) - log_of(scale_, low_)) /
                                                     (log_of(scale_, high_) - log_of(scale_, low_));
  const double held = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  return reversed_ ? 1 - held : held;
}

void AxisRange::set_linear_ticks(Ends ends, int most_ticks, double least_step) {
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (low_ == high_) {
    const double room = size == 0 ? 1 : size / 10;
    low_ = clamp_finite(low_ - room);
    high_ = clamp_finite(high_ + room);
  }
  const double least = std::max(size * kLeastRelativeSpan, kLowestPower);
  if (half_span(low_, high_) < least / 2) {
    low_ = clamp_finite(low_ - least / 2);
    high_ = clamp_finite(high_ + least / 2);
  }
  const double step = std::max(least_step, round_step(half_span(low_, high_) / most_ticks * 2));
  if (ends == Ends::Round) {
    low_ = clamp_finite(std::floor(low_ / step + kRounding) * step);
    high_ = clamp_finite(std::ceil(high_ / step - kRounding) * step);
  }
  const double first = std::ceil(low_ / step - kRounding);
  const double last = std::floor(high_ / step + kRounding);
  for (double k = first; k <= last && ticks_.size() < 1000; ++k)
    if (std::isfinite(k * step)) ticks_.push_back({k * step, format_tick(k * step, step)});
}

void AxisRange::set_power_ticks(Ends ends, int most_ticks) {
  const int base = base_of(scale_);
  if (low_ == high_) {
    low_ = std::max(low_ / base, kLowestPower);
    high_ = high_ > kHighest / base ? kHighest : high_ * base;
  }
  const double span = log_of(scale_, high_) - log_of(scale_, low_);
  if (span * std::log2(base) < 1.5) return set_linear_ticks(ends, most_ticks, 0);
  const auto candidates = power_ticks(scale_, low_, high_, most_ticks);
  const auto above = [](double bound) {
    return [bound](const Tick& t) { return t.value > bound; };
  };
  if (ends == Ends::Round) {
    const auto next =
        std::find_if(candidates.begin(), candidates.end(), above(low_ * (1 + kRounding)));
    if (next != candidates.begin()) low_ = std::prev(next)->value;
    const auto end =
        std::find_if(candidates.begin(), candidates.end(), above(high_ * (1 - kRounding)));
    if (end != candidates.end()) high_ = end->value;
  }
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(ticks_),
               [&](const Tick& t) {
                 return t.value >= low_ * (1 - kRounding) && t.value <= high_ * (1 + kRounding);
               });
}

}  // namespace ippatsu::report
