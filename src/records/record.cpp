#include "records/record.h"

#include <fmt/format.h>

namespace ippatsu::mahjong {

std::string to_string(PlaceUnit unit, uint64_t place) {
  constexpr std::array<std::string_view, 3> kNames = {"byte", "line", "event"};
  return fmt::format("{} {}", kNames[static_cast<size_t>(unit)], place);
}

std::string Record::where(const RecordedEvent& event) const { return to_string(unit, event.place); }

}  // namespace ippatsu::mahjong
