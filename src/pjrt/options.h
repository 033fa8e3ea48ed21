#pragma once

// Named values that go into a plugin (client options, compiler flags) and come out of it (plugin
// attributes).

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace ippatsu::pjrt {

using OptionValue = std::variant<std::string, bool, int64_t, std::vector<int64_t>, float>;
using Options = std::map<std::string, OptionValue>;

// For people: "name" or 8 or [1,2] or true.
std::string to_string(const OptionValue& value);

}  // namespace ippatsu::pjrt
