#pragma once

// Where a result comes from. A figure without it is worth nothing a month later.

#include <map>
#include <string>

namespace ippatsu::report {

struct Context {
  std::string machine;  // the processor's own name
  int cores = 0;
  std::string plugin;  // the PJRT plugin: its name ...
  std::string plugin_version;
  std::string platform;                         // ... and what it drives, e.g. "cpu"
  std::map<std::string, std::string> versions;  // of the libraries, by name
  std::string commit;
  std::string date;  // ISO 8601, e.g. "2026-01-31T12:00:00+00:00"
  std::string command;
};

}  // namespace ippatsu::report
