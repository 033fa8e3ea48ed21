#include "pjrt/named_value.h"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pjrt/call.h"

namespace ippatsu::pjrt {

namespace {

struct FillIn {
  PJRT_NamedValue& named;

  void operator()(const std::string& value) const {
    named.type = PJRT_NamedValue_kString;
    named.string_value = value.data();
    named.value_size = value.size();
  }
  void operator()(const std::vector<int64_t>& value) const {
    named.type = PJRT_NamedValue_kInt64List;
    named.int64_array_value = value.data();
    named.value_size = value.size();
  }
  void operator()(bool value) const {
    named.type = PJRT_NamedValue_kBool;
    named.bool_value = value;
  }
  void operator()(int64_t value) const {
    named.type = PJRT_NamedValue_kInt64;
    named.int64_value = value;
  }
  void operator()(float value) const {
    named.type = PJRT_NamedValue_kFloat;
    named.float_value = value;
  }
};

PJRT_NamedValue to_named_value(const std::string& name, const OptionValue& value) {
  auto named = PJRT_NEW(PJRT_NamedValue);
  named.name = name.data();
  named.name_size = name.size();
  named.value_size = 1;
  std::visit(FillIn{named}, value);
  return named;
}

std::optional<OptionValue> from_named_value(const PJRT_NamedValue& value) {
  switch (number_in(value.type)) {
    case PJRT_NamedValue_kString:
      return std::string(value.string_value, value.value_size);
    case PJRT_NamedValue_kInt64:
      return value.int64_value;
    case PJRT_NamedValue_kInt64List:
      return std::vector(value.int64_array_value, value.int64_array_value + value.value_size);
    case PJRT_NamedValue_kFloat:
      return value.float_value;
    case PJRT_NamedValue_kBool:
      return value.bool_value;
    default:
      return std::nullopt;
  }
}

struct ForPeople {
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<int64_t>& value) const {
    return fmt::format("[{}]", fmt::join(value, ","));
  }
  std::string operator()(auto value) const { return fmt::format("{}", value); }
};

}  // namespace

std::vector<PJRT_NamedValue> to_named_values(const Options& options) {
  std::vector<PJRT_NamedValue> values;
  for (const auto& [name, value] : options) values.push_back(to_named_value(name, value));
  return values;
}

Options from_named_values(std::span<const PJRT_NamedValue> values) {
  Options options;
  for (const PJRT_NamedValue& value : values)
    if (auto option = from_named_value(value))
      options.insert_or_assign(std::string(value.name, value.name_size), std::move(*option));
  return options;
}

std::string to_string(const OptionValue& value) { return std::visit(ForPeople{}, value); }

}  // namespace ippatsu::pjrt
