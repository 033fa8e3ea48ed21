#pragma once

// In which order results lie in memory. A value has none; a tensor shows it, by its strides, and
// `view` goes by them: results have the strides that they have on the CPU.

#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

namespace ippatsu::device {

// How the results of an operator are arranged.
enum class Arrangement {
  RowMajor,
  Elementwise,   // as the operands are, by the rules of at::TensorIterator
  LikeSelf,      // as `self` is, if it is dense
  MemoryFormat,  // channels last if one of the tensors is
};

Arrangement arrangement_of(const c10::OperatorHandle& op);

// The strides of a result of these sizes; none: row-major.
c10::DimVector result_strides(Arrangement arrangement, c10::ArrayRef<c10::IValue> arguments,
                              c10::IntArrayRef sizes);

}  // namespace ippatsu::device
