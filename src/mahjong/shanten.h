#pragma once

// How far concealed tiles are from a complete hand, and what completes them.
//
// `concealed` holds 3n+1 tiles, or 3n+2 with the drawn one; `melds` sets lie open or are closed
// kans, so that 3 * melds + tiles is 13 or 14, with no kind more than four times. Exact: a target
// never asks for a fifth tile of a kind.
//
// Answers are read from tables (shanten_table.h): some tens of nanoseconds each, once the first
// call has built the tables in about 50 ms.

#include <cstdint>

#include "mahjong/tile.h"

namespace ippatsu::mahjong {

// The least number of tiles to exchange before the hand is tenpai: -1 complete, 0 tenpai, up to 8.
// The smallest over the shapes below; the last two are for hands without melds only.
int shanten(const KindCounts& concealed, int melds);

int standard_shanten(const KindCounts& concealed, int melds);  // sets and a pair
int seven_pairs_shanten(const KindCounts& concealed);          // seven different pairs
int thirteen_orphans_shanten(const KindCounts& concealed);

// Are these 3n+2 tiles sets and a pair, seven pairs or thirteen orphans? The number of melds
// follows from the number of tiles.
bool is_complete(const KindCounts& concealed);

// The kinds that complete 3n+1 tiles, but those of which all four are concealed. The hand is tenpai
// where there is one, even if all of its tiles lie in the seat's own melds: so Tenhou's manual has
// it (https://tenhou.net/man/).
KindMask waits(const KindCounts& concealed);

}  // namespace ippatsu::mahjong
