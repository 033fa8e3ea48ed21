#pragma once

// Comparisons as formulas write them, of values with each other and with numbers.

#include <limits>

#include "hlo/builder.h"
#include "ops/lowering.h"

namespace ippatsu::ops {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

inline Value less(Value x, Value y) { return hlo::compare(hlo::Direction::Lt, x, y); }
inline Value greater(Value x, Value y) { return hlo::compare(hlo::Direction::Gt, x, y); }
inline Value at_most(Value x, Value y) { return hlo::compare(hlo::Direction::Le, x, y); }
inline Value at_least(Value x, Value y) { return hlo::compare(hlo::Direction::Ge, x, y); }
inline Value equals(Value x, Value y) { return hlo::compare(hlo::Direction::Eq, x, y); }

inline Value less(Value x, double y) { return less(x, hlo::fill_like(x, y)); }
inline Value greater(Value x, double y) { return greater(x, hlo::fill_like(x, y)); }
inline Value at_most(Value x, double y) { return at_most(x, hlo::fill_like(x, y)); }
inline Value at_least(Value x, double y) { return at_least(x, hlo::fill_like(x, y)); }
inline Value equals(Value x, double y) { return equals(x, hlo::fill_like(x, y)); }

}  // namespace ippatsu::ops
