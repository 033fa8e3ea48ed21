#include "records/dora_order.h"

#include <algorithm>

namespace ippatsu::mahjong {

namespace {

template <typename Kind>
bool is(const RecordedEvent& recorded) {
  return std::holds_alternative<Kind>(recorded.event);
}

}  // namespace

void turn_dora_by_discards(std::vector<RecordedEvent>& events) {
  for (auto dora = events.begin(); dora != events.end(); ++dora) {
    if (!is<Dora>(*dora) || dora == events.begin() || !is<Draw>(*(dora - 1))) continue;
    const auto last = std::find_if_not(dora, events.end(), is<Dora>);
    const auto discard = std::find_if_not(last, events.end(), is<RiichiDeclared>);
    if (discard == events.end() || !is<Discard>(*discard)) continue;
    std::rotate(dora, last, discard + 1);
  }
}

void show_dora_before_discards(std::vector<RecordedEvent>& events) {
  for (auto discard = events.begin(); discard != events.end(); ++discard) {
    if (!is<Discard>(*discard)) continue;
    const auto first =
        discard != events.begin() && is<RiichiDeclared>(*(discard - 1)) ? discard - 1 : discard;
    if (first == events.begin() || !is<Draw>(*(first - 1))) continue;
    const auto last = std::find_if_not(discard + 1, events.end(), is<Dora>);
    std::rotate(first, discard + 1, last);
  }
}

}  // namespace ippatsu::mahjong
