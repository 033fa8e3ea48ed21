#include "pjrt/named_value.h"

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
  for (const PJRT_NamedValue& value : values) {
    OptionValue& option = options[std::string(value.name, value.name_size)];
    switch (value.type) {
      case PJRT_NamedValue_kString:
        option = std::string(value.string_value, value.value_size);
        break;
      case PJRT_NamedValue_kInt64:
        option = value.int64_value;
        break;
      case PJRT_NamedValue_kInt64List:
        option = std::vector(value.int64_array_value, value.int64_array_value + value.value_size);
        break;
      case PJRT_NamedValue_kFloat:
        option = value.float_value;
        break;
      case PJRT_NamedValue_kBool:
        option = value.bool_value;
        break;
    }
  }
  return options;
}

std::string to_string(const OptionValue& value) { return std::visit(ForPeople{}, value); }

}  // namespace ippatsu::pjrt
