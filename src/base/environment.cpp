#include "base/environment.h"

#include <cstdlib>

namespace ippatsu {

namespace {

constexpr VariableInfo kVariables[] = {
    {Variable::Log, "IPPATSU_LOG",
     "least level that is logged: trace, debug, info, warn, error, off"},
    {Variable::Plugin, "IPPATSU_PLUGIN",
     "PJRT plugin: a path, or a short name such as cpu, cuda, tpu"},
    {Variable::CompileLimit, "IPPATSU_COMPILE_LIMIT",
     "programs that one place may compile before a warning; 64"},
    {Variable::Strict, "IPPATSU_STRICT",
     "1: an op that would fall back to the host raises instead"},
    {Variable::PluginNames, "PJRT_NAMES_AND_LIBRARY_PATHS",
     "plugins by name, as JAX reads it: name:path,name:path"},
    {Variable::TpuLibraryPath, "TPU_LIBRARY_PATH", "path of libtpu.so, as JAX reads it"},
    {Variable::XlaFlags, "XLA_FLAGS", "flags of XLA's own, as the plugin reads them"},
    {Variable::VirtualEnvironment, "VIRTUAL_ENV",
     "the active Python virtual environment, searched for plugins"},
};

}  // namespace

std::span<const VariableInfo> environment_variables() { return kVariables; }

const char* name_of(Variable variable) {
  return kVariables[static_cast<size_t>(variable)].name.data();
}

std::optional<std::string> environment(Variable variable) {
  const char* value = std::getenv(name_of(variable));
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace ippatsu
