#pragma once

// Advisers by the names that the command line gives them.

#include <memory>
#include <string>
#include <vector>

#include "analysis/adviser.h"

namespace ippatsu::cli {

using Advisers = std::vector<std::unique_ptr<analysis::Adviser>>;

// "heuristic", "greedy", a checkpoint, or the folder of a training run. Nets are asked on the
// device. Fails, listing what there is, on anything else.
Advisers advisers_of(const std::vector<std::string>& names, const std::string& device);

}  // namespace ippatsu::cli
