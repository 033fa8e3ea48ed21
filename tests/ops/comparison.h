#pragma once

// Two tensors compared, and the first difference in words.

#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

namespace ippatsu::optest {

struct Tolerance {
  double relative;
  double absolute;
};

// What rounding in that element type excuses.
Tolerance default_tolerance(c10::ScalarType type);

// Element type, shape and every element: |ours - theirs| <= absolute + relative * |theirs|; NaN
// equals NaN. Nothing where they agree; else "at [1,2]: 0.5 on the device, 0.25 on the CPU".
std::optional<std::string> difference(const at::Tensor& ours, const at::Tensor& theirs,
                                      Tolerance tolerance);

// The same without the elements.
std::optional<std::string> type_difference(const at::Tensor& ours, const at::Tensor& theirs);

}  // namespace ippatsu::optest
