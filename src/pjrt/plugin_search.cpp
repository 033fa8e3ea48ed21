#include "pjrt/plugin_search.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>

#include <fmt/ranges.h>
#include <fnmatch.h>

#include "base/environment.h"
#include "base/error.h"

namespace ippatsu::pjrt {

namespace {

namespace fs = std::filesystem;

// Where the Python package of a plugin keeps its library. Of several with one name the first
// counts.
struct PackagePattern {
  std::string_view name;
  std::string_view pattern;  // inside a Python package folder
};

constexpr PackagePattern kPackages[] = {
    {"cpu", "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so"},
    {"cpu", "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so"},
    {"cuda", "jax_plugins/xla_cuda*/xla_cuda_plugin.so"},
    {"rocm", "jax_plugins/xla_rocm*/xla_rocm_plugin.so"},
    {"oneapi", "jax_plugins/xla_oneapi*/*plugin*.so"},
    {"oneapi", "jax_plugins/intel_extension_for_openxla/pjrt_plugin_xpu.so"},
    {"tpu", "libtpu/libtpu.so"},
    {"metal", "jax_plugins/metal_plugin/pjrt_plugin_metal*.dylib"},
    {"other", "jax_plugins/*/*pjrt*.so"},
    {"other", "jax_plugins/*/*plugin*.so"},
    {"other", "xla_plugins/*/*pjrt*.so"},
};

constexpr std::string_view kDefaultName = "cpu";

std::vector<fs::path> entries(const fs::path& folder) {
  std::error_code unreadable;
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable))
    paths.push_back(entry->path());
  std::ranges::sort(paths);
  return paths;
}

// The paths below `folder` that match, part by part.
std::vector<fs::path> matches(const fs::path& folder, const fs::path& pattern) {
  std::vector<fs::path> reached{folder};
  for (const fs::path& part : pattern) {
    std::vector<fs::path> next;
    for (const fs::path& at : reached)
      std::ranges::copy_if(entries(at), std::back_inserter(next), [&](const fs::path& path) {
        return ::fnmatch(part.c_str(), path.filename().c_str(), FNM_PERIOD) == 0;
      });
    reached = std::move(next);
  }
  return reached;
}

bool is_there(const fs::path& path) {
  std::error_code unreadable;
  return fs::exists(path, unreadable);
}

class Search {
 public:
  void look_at_variables() {
    if (const auto value = look_at(Variable::Plugin); value && is_path(*value))
      add(name_of(*value), *value, name(Variable::Plugin));
    if (const auto value = look_at(Variable::PluginNames)) add_named(*value);
    if (const auto value = look_at(Variable::TpuLibraryPath))
      add("tpu", *value, name(Variable::TpuLibraryPath));
  }

  void look_at_packages(const fs::path& folder) {
    if (std::ranges::find(result_.looked, folder.string()) != result_.looked.end()) return;
    result_.looked.push_back(folder.string());
    for (const PackagePattern& package : kPackages)
      for (const fs::path& path : matches(folder, package.pattern))
        add(package.name == "other" ? path.parent_path().filename().string()
                                    : std::string(package.name),
            path,
            fmt::format("Python package {}",
                        path.parent_path().lexically_relative(folder).generic_string()));
  }

  // The `.venv` at or above `folder`, the nearest one only.
  void look_at_venv_above(const fs::path& folder) {
    for (fs::path at = folder;; at = at.parent_path()) {
      if (is_there(at / ".venv")) return look_at_python(at / ".venv");
      if (at == at.parent_path()) break;
    }
    result_.looked.push_back(fmt::format(".venv in or above {} (none)", folder.string()));
  }

  // The package folders under a prefix such as /usr or a virtual environment.
  void look_at_python(const fs::path& prefix) {
    for (const char* pattern : {"lib/python3*/site-packages", "lib/python3*/dist-packages"})
      for (const fs::path& folder : matches(prefix, pattern)) look_at_packages(folder);
  }

  std::optional<std::string> look_at(Variable variable) {
    auto value = environment(variable);
    result_.looked.push_back(value ? fmt::format("{}={}", name(variable), *value)
                                   : fmt::format("{} (not set)", name(variable)));
    return value;
  }

  PluginSearch take() { return std::move(result_); }

  static bool is_path(std::string_view text) {
    return text.find('/') != text.npos || text.ends_with(".so");
  }

 private:
  static std::string name(Variable variable) {
    return std::string(environment_variables()[static_cast<size_t>(variable)].name);
  }

  // The short name of a library that lies as its package put it; else the name of its file.
  static std::string name_of(const fs::path& path) {
    const auto package = std::ranges::find_if(kPackages, [&](const PackagePattern& row) {
      return row.name != "other" &&
             ::fnmatch(fmt::format("*/{}", row.pattern).c_str(), path.c_str(), 0) == 0;
    });
    return package == std::end(kPackages) ? path.stem().string() : std::string(package->name);
  }

  // As JAX reads it: name:path,name:path
  void add_named(std::string_view list) {
    while (!list.empty()) {
      const std::string_view entry = list.substr(0, list.find(','));
      list.remove_prefix(std::min(list.size(), entry.size() + 1));
      const size_t colon = entry.find(':');
      if (colon != entry.npos)
        add(std::string(entry.substr(0, colon)), entry.substr(colon + 1),
            name(Variable::PluginNames));
    }
  }

  void add(std::string name, const fs::path& path, std::string source) {
    const bool known =
        std::ranges::find(result_.found, path, &PluginLocation::path) != result_.found.end();
    if (!known && is_there(path))
      result_.found.push_back({std::move(name), path, std::move(source)});
  }

  PluginSearch result_;
};

fs::path program_folder() {
  std::error_code unreadable;
  return fs::read_symlink("/proc/self/exe", unreadable).parent_path();
}

fs::path current_folder() {
  std::error_code unreadable;
  return fs::current_path(unreadable);
}

[[noreturn]] void fail_unknown(std::string_view name, const PluginSearch& search) {
  std::vector<std::string> names;
  for (const PluginLocation& location : search.found)
    if (std::ranges::find(names, location.name) == names.end()) names.push_back(location.name);
  fail("no PJRT plugin is called {}; {}; looked at {}; give the path of a plugin instead", name,
       names.empty() ? "there is none at all" : fmt::format("there is {}", fmt::join(names, ", ")),
       fmt::join(search.looked, ", "));
}

}  // namespace

PluginSearch find_plugins(const PackageFolders& folders) {
  Search search;
  search.look_at_variables();
  for (const fs::path& folder : folders) search.look_at_packages(folder);
  search.look_at_venv_above(program_folder());
  search.look_at_venv_above(current_folder());
  if (const auto venv = search.look_at(Variable::VirtualEnvironment)) search.look_at_python(*venv);
  for (const char* prefix : {"/usr/local", "/usr"}) search.look_at_python(prefix);
  return search.take();
}

fs::path locate_plugin(std::string_view path_or_name, const PackageFolders& folders) {
  const std::string wanted =
      !path_or_name.empty() ? std::string(path_or_name)
                            : environment(Variable::Plugin).value_or(std::string(kDefaultName));
  if (Search::is_path(wanted)) return wanted;
  const PluginSearch search = find_plugins(folders);
  const auto location = std::ranges::find(search.found, wanted, &PluginLocation::name);
  if (location == search.found.end()) fail_unknown(wanted, search);
  return location->path;
}

}  // namespace ippatsu::pjrt
