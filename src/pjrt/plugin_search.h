#pragma once

// Where PJRT plugins lie. Places are looked at in this order, as JAX does from the second on:
//   IPPATSU_PLUGIN, PJRT_NAMES_AND_LIBRARY_PATHS, TPU_LIBRARY_PATH,
//   and the Python package folders: those that the caller knows, those of the `.venv` at or above
//   the program's folder and the current one, of the active virtual environment, of the system.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ippatsu::pjrt {

struct PluginLocation {
  std::string name;  // short: cpu, cuda, tpu ...
  std::filesystem::path path;
  std::string source;  // why it was looked at: a variable, or a Python package
};

struct PluginSearch {
  std::vector<PluginLocation> found;  // the first of a name is the one that the name means
  std::vector<std::string> looked;    // every place, for an error to list
};

using PackageFolders = std::vector<std::filesystem::path>;

PluginSearch find_plugins(const PackageFolders& folders = {});

// The file that `path_or_name` means: a path (it has a '/' or ends in ".so") is taken as it is, a
// short name is searched, and nothing at all means IPPATSU_PLUGIN, or else `cpu`. Fails, listing
// all places, on a name that is nowhere.
std::filesystem::path locate_plugin(std::string_view path_or_name,
                                    const PackageFolders& folders = {});

}  // namespace ippatsu::pjrt
