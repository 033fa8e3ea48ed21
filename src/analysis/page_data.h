#pragma once

// What the page's script draws boards from.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "analysis/analysis.h"

namespace ippatsu::analysis {

// As short as it may be, for there is a board for every turn. Tiles are letters: A..Z a..k by their
// index; a tile that may lie in several ways is followed by a digit.
//
//     rivers  1 tsumogiri + 2 declares riichi + 4 called away
//     melds   0 upright, 1 sideways, 2 face down, 3 sideways on top of the one before
nlohmann::ordered_json page_data(const Analysis& analysis);

// The tiles in the order in which a player holds them: by kind, a red five after the others.
std::vector<mahjong::Tile> in_order(const mahjong::Concealed& concealed);

}  // namespace ippatsu::analysis
