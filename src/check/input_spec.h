#pragma once

// Example inputs, said in a few characters: "f32[8,3,32,32]" is drawn from the standard normal
// distribution, "i64[4,16]{0..100}" evenly from 0 to 99, "bool[4]" is true and false at random.

#include <cstdint>
#include <string>
#include <string_view>

#include "hlo/type.h"

namespace ippatsu::check {

struct InputSpec {
  hlo::Type type;
  int64_t low = 0;    // of integers
  int64_t high = 10;  // the first that is too large
};

// Integers and booleans; all else is drawn from the normal distribution.
bool is_drawn_from_a_range(const InputSpec& spec);

// Fails with what is wanted.
InputSpec parse_input(std::string_view text);

}  // namespace ippatsu::check
