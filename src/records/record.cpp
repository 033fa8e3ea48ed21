#include "records/record.h"

#include <fmt/format.h>

namespace ippatsu::mahjong {

std::string to_string(PlaceUnit unit, uint64_t place) {
  constexpr std::array<std::string_view, 3> kNames = {"byte", "line", "event"};
  return fmt::format("{} {}", kNames[static_cast<size_t>(unit)], place);
}

std::string Record::where(const RecordedEvent& event) const { return to_string(unit, event.place); }

void remove_names(Record& record) {
  for (RecordedEvent& recorded : record.events)
    if (auto* game = std::get_if<StartGame>(&recorded.event))
      for (size_t seat = 0; seat < game->names.size(); ++seat)
        game->names[seat] = static_cast<char>('A' + seat);
}

}  // namespace ippatsu::mahjong
