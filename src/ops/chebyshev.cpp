#include "ops/chebyshev.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ippatsu::ops {

namespace {

constexpr int kNodes = 48;
constexpr Real kPi = std::numbers::pi_v<Real>;

Real node(int k) { return std::cos(kPi * (k + 0.5L) / kNodes); }

std::vector<Real> values_at_nodes(const std::function<Real(Real)>& function, Real from, Real to) {
  std::vector<Real> values;
  for (int k = 0; k < kNodes; ++k)
    values.push_back(function((from + to) / 2 + (to - from) / 2 * node(k)));
  return values;
}

}  // namespace

// The polynomial that meets the function at the zeros of the Chebyshev polynomial of that degree.
ChebyshevSeries::ChebyshevSeries(const std::function<Real(Real)>& function, Real from, Real to)
    : from_(static_cast<double>(from)), to_(static_cast<double>(to)) {
  const std::vector<Real> values = values_at_nodes(function, from, to);
  for (int j = 0; j < kNodes; ++j) {
    Real sum = 0;
    for (int k = 0; k < kNodes; ++k)
      sum += values[static_cast<size_t>(k)] * std::cos(kPi * j * (k + 0.5L) / kNodes);
    coefficients_.push_back(static_cast<double>(sum * (j == 0 ? 1 : 2) / kNodes));
  }
}

size_t ChebyshevSeries::terms_for(DType dtype) const {
  const double greatest = std::abs(*std::ranges::max_element(
      coefficients_, [](double a, double b) { return std::abs(a) < std::abs(b); }));
  const double visible = greatest * (dtype == DType::F64 ? 0x1p-52 : 0x1p-26);
  size_t terms = coefficients_.size();
  while (terms > 2 && std::abs(coefficients_[terms - 1]) < visible) --terms;
  return terms;
}

// Clenshaw, "A note on the summation of Chebyshev series", 1955.
Value ChebyshevSeries::operator()(Value x) const {
  const Value twice = (x * 2 - (from_ + to_)) * (2 / (to_ - from_));
  Value sum = fill_like(x, 0), before = sum;
  for (size_t k = terms_for(x.dtype()) - 1; k > 0; --k) {
    const Value next = twice * sum - before + coefficients_[k];
    before = sum;
    sum = next;
  }
  return twice * 0.5 * sum - before + coefficients_[0];
}

}  // namespace ippatsu::ops
