#pragma once

// When a kan's dora indicator is turned.

#include <vector>

#include "records/record.h"

namespace ippatsu::mahjong {

// After an open or added kan the discard turns the indicator, yet Tenhou's log and those who follow
// it write it before that discard, after the replacement tile. Whoever discards has not seen it:
// moves such indicators behind the discard. Those of a closed kan stand before the tile and stay
// there.
void turn_dora_by_discards(std::vector<RecordedEvent>& events);

// The other way: as those logs have it.
void show_dora_before_discards(std::vector<RecordedEvent>& events);

}  // namespace ippatsu::mahjong
