#pragma once

// The number that stands for a call in Tenhou's mjlog (<N who m>).

#include <cstdint>

#include "records/record.h"

namespace ippatsu::mahjong {

// A Call, ClosedKan, AddedKan or Kita by seat `who`. Source seats count modulo 4 from the caller,
// with three players as well. Fails on a word that stands for nothing.
//
// Bits, lowest first: 0-1 the source seat relative to the caller; then the first set bit tells the
// kind.
//   2 chi: 3-4, 5-6, 7-8 which copy of each tile; 10-15 three times the lowest kind (seven to a
//     suit) plus the position of the called tile
//   3 pon, 4 added kan: 5-6 the copy that is not in the pon; 9-15 three times the kind plus the
//   called one 5 a north set aside: 8-15 its id none, closed or open kan: 8-15 the id of the called
//   tile
Event event_of_meld_word(Seat who, int64_t word, bool red_fives);

}  // namespace ippatsu::mahjong
