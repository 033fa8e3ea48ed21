#pragma once

// Every environment variable that Ippatsu honours. No other file calls getenv.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ippatsu {

enum class Variable {
  Log,                 // IPPATSU_LOG
  Plugin,              // IPPATSU_PLUGIN
  CompileLimit,        // IPPATSU_COMPILE_LIMIT
  Strict,              // IPPATSU_STRICT
  PluginNames,         // PJRT_NAMES_AND_LIBRARY_PATHS
  TpuLibraryPath,      // TPU_LIBRARY_PATH
  XlaFlags,            // XLA_FLAGS
  VirtualEnvironment,  // VIRTUAL_ENV
};

struct VariableInfo {
  Variable variable;
  std::string_view name;
  std::string_view meaning;
};

// The variables with their names and meanings, in the order of the enumeration.
std::span<const VariableInfo> environment_variables();

const char* name_of(Variable variable);

// The variable's value; nothing where it is unset or empty.
std::optional<std::string> environment(Variable variable);

}  // namespace ippatsu
