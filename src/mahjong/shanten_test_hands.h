#pragma once

// Random hands for tests and benchmarks of hand analysis.

#include <cstddef>
#include <string_view>
#include <vector>

#include "mahjong/tile.h"

namespace ippatsu::mahjong {

KindCounts counts_from_notation(std::string_view hand);

// What hands are drawn from: the fewer kinds, the more ways there are to arrange a hand.
enum class Wall { All, OneSuitAndHonors, OneSuit };

// The same hands at each call.
std::vector<KindCounts> random_hands(Wall wall, int tiles, size_t hands);

}  // namespace ippatsu::mahjong
