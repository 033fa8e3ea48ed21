#include "hlo/builder_parts.h"

#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace ippatsu::hlo {

namespace {

std::string to_string(const std::vector<Type>& types) {
  std::vector<std::string> texts;
  for (const Type& type : types) texts.push_back(hlo::to_string(type));
  return fmt::format("({})", fmt::join(texts, ", "));
}

}  // namespace

Dims without(const Dims& dims, const Dims& dropped) {
  Dims kept;
  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i) {
    if (!contains(dropped, i)) kept.push_back(dims[static_cast<size_t>(i)]);
  }
  return kept;
}

Values chain(Values first, const Values& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Attributes join_lists(std::initializer_list<std::span<const int64_t>> lists) {
  Attributes joined;
  for (const auto list : lists) {
    joined.push_back(static_cast<int64_t>(list.size()));
    joined.insert(joined.end(), list.begin(), list.end());
  }
  return joined;
}

Values results(const Node* node) {
  Values results;
  for (int i = 0; i < static_cast<int>(node->types.size()); ++i) results.push_back({node, i});
  return results;
}

std::vector<Type> types_of(const Values& values) {
  std::vector<Type> types;
  std::ranges::transform(values, std::back_inserter(types), &Value::type);
  return types;
}

std::vector<Type> types_of(const Values& values, const Dims& dims) {
  std::vector<Type> types;
  for (const Value& value : values) types.push_back({value.dtype(), dims});
  return types;
}

void check_dim(std::string_view what, int64_t dim, const Type& type) {
  if (dim < 0 || dim >= type.rank())
    fail("{}: dim {} is out of range for {}", what, dim, to_string(type));
}

void check_count(std::string_view what, std::string_view of, const Dims& list, int64_t wanted) {
  if (static_cast<int64_t>(list.size()) != wanted)
    fail("{} wants {} {}, got [{}]", what, wanted, of, fmt::join(list, ","));
}

void check_same(std::string_view what, Value x, Value y) {
  if (x.type() != y.type()) {
    fail("{} wants operands of one type, got {} and {}", what, to_string(x.type()),
         to_string(y.type()));
  }
}

void check_operands(std::string_view what, const Values& operands) {
  if (operands.empty()) fail("{} wants at least one operand", what);
  for (const Value& operand : operands) {
    if (operand.dims() != operands[0].dims())
      fail("{} wants operands of one shape, got {}", what, to_string(types_of(operands)));
  }
}

void check_initials(std::string_view what, const Values& operands, const Values& initials) {
  if (types_of(initials) != types_of(operands, {})) {
    fail("{} of {} wants an initial value {}, got {}", what, to_string(types_of(operands)),
         to_string(types_of(operands, {})), to_string(types_of(initials)));
  }
}

void check_results(std::string_view what, const Region& region, const std::vector<Type>& wanted) {
  if (types_of(region.results) != wanted) {
    fail("{} wants a function that gives {}, got {}", what, to_string(wanted),
         to_string(types_of(region.results)));
  }
}

}  // namespace ippatsu::hlo
