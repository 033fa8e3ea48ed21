#pragma once

// Smooth functions that neither HLO nor a short formula has, as Chebyshev series. The coefficients
// are worked out on the host from values of the function, once, so that no table of digits stands
// in the source:
//
//     static const ChebyshevSeries bump([](Real x) { return std::exp(-x * x); }, 0, 4);
//     Value y = bump(x);  // for x in [0, 4]; elsewhere it means nothing

#include <functional>
#include <vector>

#include "ops/lowering.h"

namespace ippatsu::ops {

using Real = long double;

class ChebyshevSeries {
 public:
  ChebyshevSeries(const std::function<Real(Real)>& function, Real from, Real to);

  // With as many terms as the type of x can show.
  Value operator()(Value x) const;

 private:
  size_t terms_for(DType dtype) const;

  std::vector<double> coefficients_;
  double from_, to_;
};

}  // namespace ippatsu::ops
