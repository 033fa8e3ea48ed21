#pragma once

// Random numbers for one call of an operator: each request takes words that no other has had.

#include "ops/lowering.h"

namespace ippatsu::ops {

class RandomStream {
 public:
  // `state` is a fresh ui64[2] of a generator: key and counter.
  explicit RandomStream(Value state) : state_(state) {}

  // What to go on from, say in the next round of a loop.
  Value state() const { return state_; }

  Value words(hlo::Type type);

  // In f64 for f64, else in f32, from as many random bits as the mantissa holds.
  Value uniform(const Dims& dims, DType dtype);            // [0, 1), also when rounded to `dtype`
  Value open_uniform(const Dims& dims, DType dtype);       // (0, 1), alike on both sides of 1/2
  Value symmetric_uniform(const Dims& dims, DType dtype);  // (-1, 1), alike on both sides of 0
  Value normal(const Dims& dims, DType dtype);             // mean 0, deviation 1
  Value exponential(const Dims& dims, DType dtype);        // rate 1, never 0

 private:
  Value state_;
};

}  // namespace ippatsu::ops
