#include "device/index_arguments.h"

#include <algorithm>
#include <array>

#include <ATen/Functions.h>
#include <ATen/WrapDimUtils.h>

#include "base/error.h"
#include "device/fallback.h"
#include "device/tensor.h"

namespace ippatsu::device {

namespace {

using at::Tensor;
using c10::IValue;

// How the CPU words its refusal, and the exception it throws.
enum class Refusal { Bounds, BoundsAsIndexError, IndexCopy, InSelf, Access };

}  // namespace

struct IndexRule {
  std::string_view op;       // the rows of this name, whatever the overload
  std::string_view index;    // the argument with the positions: a tensor, or a list of them
  std::string_view indexed;  // what they are positions in
  enum class Along {
    Dim,
    First,
    Flat,
    Places
  } along;     // the `dim` argument, dim 0, all elements, or
               // each dim for the tensor at its place
  bool wraps;  // negative positions count from the end
  Refusal refusal;
};

namespace {

using Along = IndexRule::Along;

constexpr IndexRule kRules[] = {
    {"aten::gather", "index", "self", Along::Dim, false, Refusal::Bounds},
    {"aten::scatter", "index", "self", Along::Dim, false, Refusal::Bounds},
    {"aten::scatter_add", "index", "self", Along::Dim, false, Refusal::Bounds},
    {"aten::scatter_reduce", "index", "self", Along::Dim, false, Refusal::Bounds},
    {"aten::index_select", "index", "self", Along::Dim, false, Refusal::InSelf},
    {"aten::index_add", "index", "self", Along::Dim, false, Refusal::InSelf},
    {"aten::index_reduce", "index", "self", Along::Dim, false, Refusal::InSelf},
    {"aten::index_copy", "index", "self", Along::Dim, false, Refusal::IndexCopy},
    {"aten::index_fill", "index", "self", Along::Dim, true, Refusal::BoundsAsIndexError},
    {"aten::index", "indices", "self", Along::Places, true, Refusal::BoundsAsIndexError},
    {"aten::index_put", "indices", "self", Along::Places, true, Refusal::BoundsAsIndexError},
    {"aten::_index_put_impl", "indices", "self", Along::Places, true, Refusal::BoundsAsIndexError},
    {"aten::take", "index", "self", Along::Flat, true, Refusal::Access},
    {"aten::put", "index", "self", Along::Flat, true, Refusal::Access},
    {"aten::embedding", "indices", "weight", Along::First, false, Refusal::InSelf},
};

[[noreturn]] void refuse(Refusal refusal, int64_t position, int64_t dim, int64_t extent) {
  const std::string bounds =
      fmt::format("index {} is out of bounds for dimension {} with size {}", position, dim, extent);
  switch (refusal) {
    case Refusal::Bounds:
      C10_THROW_ERROR(Error, bounds);
    case Refusal::BoundsAsIndexError:
      C10_THROW_ERROR(IndexError, bounds);
    case Refusal::IndexCopy:
      C10_THROW_ERROR(IndexError, "index_copy_(): " + bounds);
    case Refusal::InSelf:
      C10_THROW_ERROR(IndexError, "index out of range in self");
    case Refusal::Access:
      break;
  }
  C10_THROW_ERROR(IndexError,
                  fmt::format("out of range: tried to access index {} on a tensor of {} elements.",
                              position, extent));
}

// The least and the greatest position.
std::array<int64_t, 2> extremes(const Tensor& index) {
  const auto [least, greatest] = at::aminmax(index);
  const Tensor both = at::stack({least, greatest}).to(at::kLong);
  const Tensor host = is_ours(both) ? to_host(both) : both;
  const auto* numbers = host.const_data_ptr<int64_t>();
  return {numbers[0], numbers[1]};
}

void check_type(const IndexRule& rule, const Tensor& index) {
  if (c10::isIntegralType(index.scalar_type(), /*includeBool=*/false)) return;
  if (rule.along == Along::Places)
    C10_THROW_ERROR(IndexError, "tensors used as indices must be long, int, byte or bool tensors");
  const std::string text = c10::str(rule.op, ": Expected dtype int32/int64 for index, got ",
                                    c10::toString(index.scalar_type()));
  if (rule.op.starts_with("aten::index_") && rule.op != "aten::index_select")
    C10_THROW_ERROR(IndexError, text);
  C10_THROW_ERROR(Error, text);
}

void check(const IndexRule& rule, const Tensor& index, int64_t dim, int64_t extent) {
  if (!index.defined() || index.numel() == 0 || extent == 0) return;
  check_type(rule, index);
  if (is_ours(index) && !is_strict()) return;
  const auto [least, greatest] = extremes(index);
  if (greatest >= extent) refuse(rule.refusal, greatest, dim, extent);
  if (least < (rule.wraps ? -extent : 0)) refuse(rule.refusal, least, dim, extent);
}

const IValue& argument(const c10::FunctionSchema& schema, c10::ArrayRef<IValue> arguments,
                       std::string_view name) {
  const auto& known = schema.arguments();
  const auto found = std::ranges::find(known, name, &c10::Argument::name);
  if (found == known.end()) fail("{} has no argument `{}`", schema.name(), name);
  return arguments[static_cast<size_t>(found - known.begin())];
}

bool holds_mask(const IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return false;
  const c10::ScalarType type = value.toTensor().scalar_type();
  return type == at::kBool || type == at::kByte;
}

// A mask covers as many dims as it has itself.
void check_places(const IndexRule& rule, const c10::ArrayRef<IValue> indices, const Tensor& x) {
  int64_t dim = 0;
  for (const IValue& value : indices) {
    const bool masks = holds_mask(value);
    if (value.isTensor() && !masks && dim < x.dim())
      check(rule, value.toTensor(), dim, x.size(dim));
    dim += masks ? value.toTensor().dim() : 1;
  }
}

}  // namespace

const IndexRule* find_index_rule(std::string_view row) {
  const std::string_view op = row.substr(0, row.find('.'));
  const auto* found = std::ranges::find(kRules, op, &IndexRule::op);
  return found == std::end(kRules) ? nullptr : found;
}

void check_positions(const IndexRule& rule, const c10::FunctionSchema& schema,
                     c10::ArrayRef<IValue> arguments) {
  const Tensor& x = argument(schema, arguments, rule.indexed).toTensor();
  const IValue& index = argument(schema, arguments, rule.index);
  switch (rule.along) {
    case Along::Dim: {
      TORCH_CHECK_INDEX(!rule.op.starts_with("aten::index_") || index.toTensor().dim() <= 1,
                        rule.op, ": Index is supposed to be a vector");
      if (x.dim() == 0) return check(rule, index.toTensor(), 0, 1);
      const int64_t dim = at::maybe_wrap_dim(argument(schema, arguments, "dim").toInt(), x.dim());
      return check(rule, index.toTensor(), dim, x.size(dim));
    }
    case Along::First:
      return check(rule, index.toTensor(), 0, x.dim() == 0 ? 1 : x.size(0));
    case Along::Flat:
      return check(rule, index.toTensor(), 0, x.numel());
    case Along::Places:
      return check_places(rule, index.toListRef(), x);
  }
}

namespace {

void check_mask(const Tensor& mask, const Tensor& x, int64_t dim) {
  for (int64_t i = 0; i < mask.dim(); ++i) {
    if (dim + i < x.dim() && mask.size(i) == x.size(dim + i)) continue;
    C10_THROW_ERROR(IndexError, c10::str("The shape of the mask ", mask.sizes(), " at index ", i,
                                         " does not match the shape of the indexed tensor ",
                                         x.sizes(), " at index ", dim + i));
  }
}

using Indices = c10::List<std::optional<Tensor>>;

Indices without_masks(const c10::ArrayRef<IValue> given, const Tensor& x) {
  Indices indices;
  for (const IValue& value : given) {
    if (!holds_mask(value)) {
      indices.push_back(value.isTensor() ? std::optional(value.toTensor()) : std::nullopt);
      continue;
    }
    const Tensor& mask = value.toTensor();
    check_mask(mask, x, static_cast<int64_t>(indices.size()));
    for (const Tensor& position : at::nonzero(mask).unbind(1)) indices.push_back(position);
  }
  return indices;
}

}  // namespace

bool masks_to_positions(const c10::FunctionSchema& schema, torch::jit::Stack& stack) {
  const auto place = schema.argumentIndexWithName("indices");
  if (!place) return false;
  const size_t count = schema.arguments().size();
  IValue& given = torch::jit::peek(stack, static_cast<size_t>(*place), count);
  if (!given.isList()) return false;
  const c10::ArrayRef<IValue> list = given.toListRef();
  if (std::none_of(list.begin(), list.end(), holds_mask)) return false;
  given = without_masks(list, torch::jit::peek(stack, 0, count).toTensor());
  return true;
}

}  // namespace ippatsu::device
