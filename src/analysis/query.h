#pragma once

// Analysis for programs that ask, a JSON line a question and a JSON line an answer. The lines are
// described in docs/analysis-json.md.
//
//     {"id": 1, "path": "game.mjlog", "turns": [3, 4]}
//     {"id": 1, "schema": "ippatsu.analysis/1", "source": "game.mjlog", ...}
//     {"id": 2, "record": [...], "seat": 9}
//     {"id": 2, "error": {"field": "seat", "message": "..."}}

#include <span>
#include <string>
#include <string_view>

#include "analysis/analysis.h"

namespace ippatsu::analysis {

// The answer to one line, without its newline: one line, too. Whatever is wrong with the question
// is told in the answer, with the question's id where it has one.
std::string answer(std::string_view question, std::span<Adviser* const> advisers,
                   const AnalysisOptions& defaults);

}  // namespace ippatsu::analysis
