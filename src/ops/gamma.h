#pragma once

// Parts of the gamma family that samplers need too.

#include "ops/lowering.h"

namespace ippatsu::ops {

// log(x^a e^-x / Gamma(a + 1)), for a >= 0 and x > 0: the mass of a Poisson distribution of rate x
// at a. It keeps its digits where a is large and near x.
Value log_poisson_mass(Value a, Value x);

// How a gamma variate x of shape a moves with a, at a fixed quantile: -(dP(a, x) / da) / p(x).
Value gamma_sample_slope(Value a, Value x);

// The same for a beta variate x of shapes a and b, as a moves, over 1 - x.
Value beta_sample_slope(Value x, Value a, Value b);

}  // namespace ippatsu::ops
