#include "comparison.h"

#include <cmath>

#include <ATen/Functions.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ippatsu::optest {

namespace {

std::string described(const at::Tensor& tensor) {
  if (!tensor.defined()) return "nothing";
  return fmt::format("{}[{}]", c10::toString(tensor.scalar_type()), fmt::join(tensor.sizes(), ","));
}

std::vector<int64_t> position(int64_t flat, at::IntArrayRef shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0; flat /= shape[i]) index[i] = flat % shape[i];
  return index;
}

bool close(double ours, double theirs, Tolerance tolerance) {
  if (ours == theirs || (std::isnan(ours) && std::isnan(theirs))) return true;
  return std::isfinite(theirs) &&
         std::abs(ours - theirs) <= tolerance.absolute + tolerance.relative * std::abs(theirs);
}

std::optional<std::string> first_difference(const at::Tensor& ours, const at::Tensor& theirs,
                                            Tolerance tolerance) {
  const at::Tensor x = ours.to(c10::kDouble).contiguous(), y = theirs.to(c10::kDouble).contiguous();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double mine = x.const_data_ptr<double>()[i], other = y.const_data_ptr<double>()[i];
    if (close(mine, other, tolerance)) continue;
    return fmt::format("at [{}]: {:.9g} on the device, {:.9g} on the CPU",
                       fmt::join(position(i, x.sizes()), ","), mine, other);
  }
  return std::nullopt;
}

std::optional<std::string> first_integer_difference(const at::Tensor& ours,
                                                    const at::Tensor& theirs) {
  const at::Tensor x = ours.to(c10::kLong).contiguous(), y = theirs.to(c10::kLong).contiguous();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const int64_t mine = x.const_data_ptr<int64_t>()[i], other = y.const_data_ptr<int64_t>()[i];
    if (mine == other) continue;
    return fmt::format("at [{}]: {} on the device, {} on the CPU",
                       fmt::join(position(i, x.sizes()), ","), mine, other);
  }
  return std::nullopt;
}

}  // namespace

Tolerance default_tolerance(c10::ScalarType type) {
  switch (type) {
    case c10::kDouble:
    case c10::kComplexDouble:
      return {1e-9, 1e-11};
    case c10::kFloat:
    case c10::kComplexFloat:
      return {1e-5, 2e-6};
    case c10::kHalf:
      return {2e-3, 1e-4};
    case c10::kBFloat16:
      return {1.6e-2, 1e-3};
    default:
      return {0, 0};
  }
}

std::optional<std::string> type_difference(const at::Tensor& ours, const at::Tensor& theirs) {
  const bool same = ours.defined() == theirs.defined() &&
                    (!ours.defined() || (ours.scalar_type() == theirs.scalar_type() &&
                                         ours.sizes() == theirs.sizes()));
  if (same) return std::nullopt;
  return fmt::format("{} on the device, {} on the CPU", described(ours), described(theirs));
}

std::optional<std::string> difference(const at::Tensor& ours, const at::Tensor& theirs,
                                      Tolerance tolerance) {
  if (auto different = type_difference(ours, theirs)) return different;
  if (!ours.defined()) return std::nullopt;
  if (c10::isComplexType(ours.scalar_type()))
    return first_difference(at::view_as_real(ours.resolve_conj()),
                            at::view_as_real(theirs.resolve_conj()), tolerance);
  return c10::isIntegralType(ours.scalar_type(), /*includeBool=*/true)
             ? first_integer_difference(ours, theirs)
             : first_difference(ours, theirs, tolerance);
}

}  // namespace ippatsu::optest
