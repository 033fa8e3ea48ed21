#pragma once

// Progress and warnings for people, on standard error. Results go to standard output, never here.

#include <spdlog/logger.h>

namespace ippatsu {

// The process-wide logger. Its level comes from IPPATSU_LOG (trace, debug, info, warn, error, off).
spdlog::logger& log();

}  // namespace ippatsu
