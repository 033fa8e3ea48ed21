#pragma once

// Axes: which values can be shown, where they go, and the round values that get a tick.

#include <string>
#include <vector>

namespace ippatsu::report {

enum class Scale { Linear, Log2, Log10 };

struct Axis {
  std::string label;
  Scale scale = Scale::Linear;
  bool from_zero = false;  // a linear axis always shows zero
  bool whole = false;      // no ticks between whole numbers: for what is counted
  bool reversed = false;   // the low end where the high one would be: for ranks
};

struct Tick {
  double value;
  std::string label;
};

// Finite, and positive where the scale is logarithmic.
bool plottable(Scale scale, double value);

enum class Ends {
  Tight,  // the axis ends at the data
  Round,  // the axis is widened to the next tick
};

// The part of an axis that a chart shows. It is never empty: without data it spans [0, 1] (or one
// power), around a single value some room is left. Spans below a billionth of the values are
// widened, since a double could not tell their ticks apart.
class AxisRange {
 public:
  // `values` may hold anything; those that are not plottable are passed over. At most about
  // `most_ticks` ticks are set (at least two are wanted).
  AxisRange(const Axis& axis, const std::vector<double>& values, Ends ends, int most_ticks);

  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<Tick>& ticks() const { return ticks_; }

  // Where a plottable value lies: 0 at low(), 1 at high(), held inside [0, 1]; the other way round
  // where the axis is reversed.
  double position(double value) const;

 private:
  void gather(const Axis& axis, const std::vector<double>& values);
  void set_linear_ticks(Ends ends, int most_ticks, double least_step);
  void set_power_ticks(Ends ends, int most_ticks);

  Scale scale_;
  bool reversed_;
  double low_;
  double high_;
  std::vector<Tick> ticks_;
};

}  // namespace ippatsu::report
