#pragma once

// An analysis for programs, and for people.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/analysis.h"
#include "analysis/words.h"

namespace ippatsu::analysis {

inline constexpr const char* kSchema = "ippatsu.analysis/1";

// As docs/analysis-json.md describes it.
nlohmann::ordered_json to_json(const Analysis& analysis);

// One page without anything from elsewhere: figures, bad moves, rounds and curves stand in it as
// they are, in both languages; boards are drawn by its script, which steps through the turns.
std::string to_html(const Analysis& analysis, Language language);

}  // namespace ippatsu::analysis
