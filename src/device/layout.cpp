#include "device/layout.h"

#include <algorithm>
#include <string_view>

#include <ATen/ExpandUtils.h>
#include <ATen/TensorIterator.h>

#include "device/tensor.h"

namespace ippatsu::device {

namespace {

using at::Tensor;
using c10::DimVector;
using c10::IntArrayRef;

struct Rule {
  std::string_view op;  // whatever the overload
  Arrangement arrangement;
};

// Beside the operators that ATen tags as pointwise.
constexpr Rule kRules[] = {
    {"aten::_prelu_kernel", Arrangement::Elementwise},
    {"aten::complex", Arrangement::Elementwise},
    {"aten::hardtanh_backward", Arrangement::Elementwise},
    {"aten::leaky_relu_backward", Arrangement::Elementwise},
    {"aten::masked_fill", Arrangement::RowMajor},
    {"aten::mse_loss", Arrangement::Elementwise},
    {"aten::polar", Arrangement::Elementwise},
    {"aten::smooth_l1_loss", Arrangement::Elementwise},
    {"aten::_adaptive_avg_pool2d", Arrangement::MemoryFormat},
    {"aten::_adaptive_avg_pool3d", Arrangement::MemoryFormat},
    {"aten::adaptive_max_pool2d", Arrangement::MemoryFormat},
    {"aten::avg_pool2d", Arrangement::MemoryFormat},
    {"aten::cat", Arrangement::MemoryFormat},
    {"aten::constant_pad_nd", Arrangement::MemoryFormat},
    {"aten::convolution_overrideable", Arrangement::MemoryFormat},
    {"aten::flip", Arrangement::LikeSelf},
    {"aten::max_pool2d_with_indices", Arrangement::MemoryFormat},
    {"aten::native_batch_norm", Arrangement::MemoryFormat},
    {"aten::native_group_norm", Arrangement::MemoryFormat},
    {"aten::native_dropout", Arrangement::LikeSelf},
    {"aten::reflection_pad2d", Arrangement::MemoryFormat},
    {"aten::replication_pad2d", Arrangement::MemoryFormat},
    {"aten::sort", Arrangement::LikeSelf},
    {"aten::upsample_bicubic2d", Arrangement::MemoryFormat},
    {"aten::upsample_bilinear2d", Arrangement::MemoryFormat},
    {"aten::upsample_nearest2d", Arrangement::MemoryFormat},
};

std::vector<Tensor> tensors_of(c10::ArrayRef<c10::IValue> arguments) {
  std::vector<Tensor> tensors;
  for (const c10::IValue& argument : arguments) {
    if (argument.isTensor() && argument.toTensor().defined())
      tensors.push_back(argument.toTensor());
    if (!argument.isTensorList()) continue;
    for (const Tensor& tensor : argument.toTensorVector()) tensors.push_back(tensor);
  }
  return tensors;
}

DimVector elementwise_strides(const std::vector<Tensor>& operands, IntArrayRef sizes) {
  at::TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .check_all_same_device(false)
      .declare_static_dtype_and_device(at::kFloat, at::kMeta)
      .add_owned_output(Tensor());
  for (const Tensor& operand : operands) config.add_owned_const_input(operand);
  const Tensor result = config.build().output();
  return result.sizes() == sizes ? DimVector(result.strides()) : DimVector();
}

DimVector strides_like(const Tensor& self, IntArrayRef sizes) {
  return self.sizes() == sizes ? DimVector(at::infer_dense_strides(self.sizes(), self.strides()))
                               : DimVector();
}

DimVector channels_last_strides(const std::vector<Tensor>& operands, IntArrayRef sizes) {
  const auto is = [&](const Tensor& tensor, c10::MemoryFormat format) {
    return tensor.dim() == static_cast<int64_t>(sizes.size()) &&
           tensor.suggest_memory_format() == format;
  };
  const auto any = [&](c10::MemoryFormat format) {
    return std::ranges::any_of(operands, [&](const Tensor& tensor) { return is(tensor, format); });
  };
  std::vector<int64_t> strides;
  if (any(c10::MemoryFormat::ChannelsLast)) strides = c10::get_channels_last_strides_2d(sizes);
  if (any(c10::MemoryFormat::ChannelsLast3d)) strides = c10::get_channels_last_strides_3d(sizes);
  return DimVector(IntArrayRef(strides));
}

}  // namespace

Arrangement arrangement_of(const c10::OperatorHandle& op) {
  const auto* rule = std::ranges::find(kRules, op.operator_name().name, &Rule::op);
  if (rule != std::end(kRules)) return rule->arrangement;
  return op.hasTag(at::Tag::pointwise) ? Arrangement::Elementwise : Arrangement::RowMajor;
}

DimVector result_strides(Arrangement arrangement, c10::ArrayRef<c10::IValue> arguments,
                         IntArrayRef sizes) {
  if (arrangement == Arrangement::RowMajor || sizes.size() < 2) return {};
  const std::vector<Tensor> tensors = tensors_of(arguments);
  const auto is_row_major = [](const Tensor& tensor) { return tensor.is_contiguous(); };
  if (tensors.empty() || std::ranges::all_of(tensors, is_row_major)) return {};
  switch (arrangement) {
    case Arrangement::RowMajor:
      return {};
    case Arrangement::Elementwise:
      return elementwise_strides(tensors, sizes);
    case Arrangement::LikeSelf:
      return strides_like(tensors.front(), sizes);
    case Arrangement::MemoryFormat:
      return channels_last_strides(tensors, sizes);
  }
  return {};
}

}  // namespace ippatsu::device
