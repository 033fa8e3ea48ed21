#pragma once

// A report as people and tools read it.

#include <string>

#include "check/report.h"

namespace ippatsu::check {

// For a terminal.
std::string to_text(const Report& report);

// For tools: one object, whose "schema" is "ippatsu.check/1". Within a version members are only
// added. Numbers that are not finite are null.
std::string to_json(const Report& report);

// One page, offline.
std::string to_html(const Report& report);

}  // namespace ippatsu::check
