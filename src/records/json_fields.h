#pragma once

// Fields of untrusted JSON, each checked for presence, type and range.

#include <nlohmann/json.hpp>
#include <string_view>

#include "records/record.h"

namespace ippatsu::mahjong {

using Json = nlohmann::json;

// The whole text as JSON; fails with the byte it broke at.
Json parse_json(std::string_view text);

const Json& field(const Json& object, const char* name);           // fails where it is missing
const Json* optional_field(const Json& object, const char* name);  // null where missing or null

// Each fails where `value` is something else; `name` is for the message.
int64_t integer(const Json& value, std::string_view name, int64_t least, int64_t most);
Seat seat(const Json& value, std::string_view name);
std::string_view text(const Json& value, std::string_view name);
bool flag(const Json& value, std::string_view name);
const Json& list(const Json& value, std::string_view name, size_t least, size_t most);
Scores points(const Json& value, std::string_view name);  // three or four numbers

}  // namespace ippatsu::mahjong
