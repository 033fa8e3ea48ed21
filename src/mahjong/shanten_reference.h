#pragma once

// Shanten and complete hands worked out hand by hand, for tests to compare the tables with.

#include <array>
#include <cstdint>
#include <span>

#include "mahjong/hand.h"
#include "mahjong/tile.h"

namespace ippatsu::mahjong::reference {

// How many tiles are lacking for each number of sets (0..4), without [0] and with [1] the pair.
using Lacking = std::array<std::array<uint8_t, kSets + 1>, 2>;

// By a dynamic program over the kinds of a suit.
Lacking suit_lacking(std::span<const uint8_t, 9> held);
Lacking honors_lacking(std::span<const uint8_t, 7> held);
Lacking join(const Lacking& a, const Lacking& b);

// As their namesakes in shanten.h.
int shanten(const KindCounts& concealed, int melds);
bool is_complete(const KindCounts& concealed);  // by taking sets away
KindMask waits(const KindCounts& concealed);

}  // namespace ippatsu::mahjong::reference
