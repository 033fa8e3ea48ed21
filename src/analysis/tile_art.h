#pragma once

// The faces of the tiles, drawn.

#include <string>

namespace ippatsu::analysis {

// An SVG <symbol> of 30 by 40 for each tile: "t0" .. "t36" by its index, and "back". Colours are
// named in page.css.
std::string tile_symbols();

}  // namespace ippatsu::analysis
