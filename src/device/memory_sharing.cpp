#include "device/memory_sharing.h"

#include <algorithm>
#include <string_view>

#include <ATen/MemoryOverlap.h>

namespace ippatsu::device {

namespace {

struct Rule {
  std::string_view op;  // whatever the overload
  MemorySharing sharing;
};

// The rest go by whether ATen tags them as pointwise.
constexpr Rule kRules[] = {
    {"aten::_index_put_impl", MemorySharing::Unchecked},
    {"aten::cat", MemorySharing::Disjoint},
    {"aten::fill", MemorySharing::Unchecked},
    {"aten::gather", MemorySharing::Disjoint},
    {"aten::index_add", MemorySharing::Disjoint},
    {"aten::index_copy", MemorySharing::Disjoint},
    {"aten::index_fill", MemorySharing::Unchecked},
    {"aten::index_put", MemorySharing::Unchecked},
    {"aten::index_select", MemorySharing::Disjoint},
    {"aten::masked_fill", MemorySharing::Unchecked},
    {"aten::scatter", MemorySharing::Disjoint},
    {"aten::scatter_add", MemorySharing::Disjoint},
    {"aten::scatter_reduce", MemorySharing::Disjoint},
    {"aten::take", MemorySharing::Disjoint},
    {"aten::zero", MemorySharing::Unchecked},
};

template <typename Check>
void for_each_tensor(const c10::IValue& argument, Check check) {
  if (argument.isTensor() && argument.toTensor().defined()) check(argument.toTensor());
  if (!argument.isTensorList()) return;
  for (const at::Tensor& tensor : argument.toTensorVector()) check(tensor);
}

}  // namespace

MemorySharing memory_sharing_of(const c10::OperatorHandle& op) {
  const auto* rule = std::ranges::find(kRules, op.operator_name().name, &Rule::op);
  if (rule != std::end(kRules)) return rule->sharing;
  return op.hasTag(at::Tag::pointwise) ? MemorySharing::SameOrDisjoint : MemorySharing::NoOverlap;
}

void check_memory_sharing(MemorySharing sharing, c10::ArrayRef<c10::IValue> arguments,
                          size_t target) {
  if (sharing == MemorySharing::Unchecked) return;
  const at::Tensor& written = arguments[target].toTensor();
  at::assert_no_internal_overlap(written);
  if (sharing == MemorySharing::NoOverlap) return;
  const auto check =
      sharing == MemorySharing::SameOrDisjoint
          ? [](const at::Tensor& a, const at::Tensor& b) { at::assert_no_partial_overlap(a, b); }
          : [](const at::Tensor& a, const at::Tensor& b) { at::assert_no_overlap(a, b); };
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i == target) continue;
    for_each_tensor(arguments[i], [&](const at::Tensor& operand) { check(written, operand); });
  }
}

}  // namespace ippatsu::device
