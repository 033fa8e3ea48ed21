#include "records/json_fields.h"

#include "base/error.h"

namespace ippatsu::mahjong {

namespace {

constexpr int64_t kMostPoints = 10'000'000;

}  // namespace

Json parse_json(std::string_view text) {
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    fail("is not JSON: it breaks at byte {} of {}", error.byte, text.size());
  } catch (const Json::exception& error) {
    fail("is not JSON: {}", error.what());
  }
}

const Json* optional_field(const Json& object, const char* name) {
  if (!object.is_object()) fail("is not a JSON object");
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json& field(const Json& object, const char* name) {
  const Json* found = optional_field(object, name);
  if (!found) fail("'{}' is missing", name);
  return *found;
}

int64_t integer(const Json& value, std::string_view name, int64_t least, int64_t most) {
  if (!value.is_number_integer()) fail("'{}' is not a whole number", name);
  const bool huge = value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX;
  const int64_t number = huge ? INT64_MAX : value.get<int64_t>();
  if (number < least || number > most) fail("'{}' is out of range ({}..{})", name, least, most);
  return number;
}

Seat seat(const Json& value, std::string_view name) {
  return static_cast<Seat>(integer(value, name, 0, kSeats - 1));
}

std::string_view text(const Json& value, std::string_view name) {
  if (!value.is_string()) fail("'{}' is not a text", name);
  return value.get_ref<const std::string&>();
}

bool flag(const Json& value, std::string_view name) {
  if (!value.is_boolean()) fail("'{}' is not true or false", name);
  return value.get<bool>();
}

const Json& list(const Json& value, std::string_view name, size_t least, size_t most) {
  if (!value.is_array()) fail("'{}' is not a list", name);
  if (value.size() < least || value.size() > most)
    fail("'{}' has {} entries (possible: {}..{})", name, value.size(), least, most);
  return value;
}

Scores points(const Json& value, std::string_view name) {
  Scores points{};
  size_t seat = 0;
  for (const Json& entry : list(value, name, 3, kSeats))
    points[seat++] = static_cast<int32_t>(integer(entry, name, -kMostPoints, kMostPoints));
  return points;
}

}  // namespace ippatsu::mahjong
