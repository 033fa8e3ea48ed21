#pragma once

// For tests: every CPU plugin on this machine, the default one first.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pjrt/plugin_search.h"

namespace ippatsu::pjrt {

inline std::vector<std::filesystem::path> cpu_plugins() {
  std::vector<std::filesystem::path> paths;
  for (const PluginLocation& location : find_plugins().found)
    if (location.name == "cpu") paths.push_back(location.path);
  return paths;
}

// Names a test's instance by the plugin's folder.
inline std::string plugin_label(const testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.parent_path().filename().string();
}

}  // namespace ippatsu::pjrt
