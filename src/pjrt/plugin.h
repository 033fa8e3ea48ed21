#pragma once

// A PJRT plugin: a shared library that makes one kind of device usable. Example:
//
//     auto client = Client::create(Plugin::load("cpu"));

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "pjrt/options.h"
#include "pjrt/plugin_search.h"

struct PJRT_Api;

namespace ippatsu::pjrt {

struct ApiVersion {
  int major = 0;
  int minor = 0;
};

// Optional parts of the C API, by their numbers there.
enum class Extension { Profiler = 1, Stream = 3, Layouts = 4, Ffi = 5, RawBuffer = 8 };

class Plugin {
 public:
  // Loads and initializes the plugin that `path_or_name` means (see locate_plugin), once per
  // process; it is never unloaded. Fails in one sentence if the file is missing, is no plugin, or
  // speaks another major version of the API.
  static std::shared_ptr<const Plugin> load(std::string_view path_or_name = {},
                                            const PackageFolders& folders = {});

  const std::filesystem::path& path() const { return path_; }
  ApiVersion api_version() const;
  bool has(Extension extension) const;

  // What the plugin tells about itself, such as `xla_version`.
  Options attributes() const;

  // Tells builds of a plugin, and machines, apart: API version, size and age of the file, and the
  // machine's instruction sets. Part of the key of whatever is kept of its work.
  const std::string& identity() const { return identity_; }

  const PJRT_Api* api() const { return api_; }

 private:
  explicit Plugin(std::filesystem::path path);

  std::filesystem::path path_;
  const PJRT_Api* api_;
  std::string identity_;
};

}  // namespace ippatsu::pjrt
