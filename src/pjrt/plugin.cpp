#include "pjrt/plugin.h"

#include <chrono>
#include <map>
#include <mutex>
#include <sstream>

#include <dlfcn.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "pjrt/call.h"
#include "pjrt/named_value.h"

namespace ippatsu::pjrt {

namespace {

namespace fs = std::filesystem;

// From here on plugins list the types and dimensions of results (API 0.30), and all calls that
// running a program takes are there.
constexpr int kOldestMinor = 30;

using GetApi = const PJRT_Api*();

// Why dlopen failed, without the path that its text starts with.
std::string loader_message(const fs::path& path) {
  const std::string message = ::dlerror();
  const std::string prefix = path.string() + ": ";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

const PJRT_Api* open(const fs::path& path) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail("{}: is no PJRT plugin: {}", path.string(), loader_message(path));
  auto* get_api = reinterpret_cast<GetApi*>(::dlsym(library, "GetPjrtApi"));
  if (get_api == nullptr)
    fail("{}: is no PJRT plugin: it has no function GetPjrtApi", path.string());
  const PJRT_Api* api = get_api();
  if (api == nullptr) fail("{}: the plugin gives no PJRT API", path.string());
  return api;
}

void check_version(const fs::path& path, const PJRT_Api* api) {
  const PJRT_Api_Version& version = api->pjrt_api_version;
  if (version.major_version == PJRT_API_MAJOR && version.minor_version >= kOldestMinor) return;
  fail("{}: speaks PJRT API {}.{}; Ippatsu needs {}.{} or a later {}.x", path.string(),
       version.major_version, version.minor_version, PJRT_API_MAJOR, kOldestMinor, PJRT_API_MAJOR);
}

void initialize(const fs::path& path, const PJRT_Api* api) {
  auto args = PJRT_NEW(PJRT_Plugin_Initialize_Args);
  try {
    call(api, &PJRT_Api::PJRT_Plugin_Initialize, args);
  } catch (const Error& error) {
    throw error.within(fmt::format("initializing {}", path.string()));
  }
}

// The instruction sets of this machine: a CPU plugin's programs hold code for exactly these, and an
// instruction that another machine lacks would end the process.
uint32_t machine_features() {
  std::error_code missing;
  if (!fs::exists("/proc/cpuinfo", missing)) return 0;
  std::istringstream lines(read_file("/proc/cpuinfo"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("flags") || line.starts_with("Features"))
      return static_cast<uint32_t>(
          crc32_z(0, reinterpret_cast<const Bytef*>(line.data()), line.size()));
  return 0;
}

std::string identify(const fs::path& path, const PJRT_Api* api) {
  const auto age = fs::last_write_time(path).time_since_epoch();
  return fmt::format("{} {}.{} {} {} {:08x}", path.filename().string(),
                     api->pjrt_api_version.major_version, api->pjrt_api_version.minor_version,
                     fs::file_size(path), std::chrono::nanoseconds(age).count(),
                     machine_features());
}

}  // namespace

std::shared_ptr<const Plugin> Plugin::load(std::string_view path_or_name,
                                           const PackageFolders& folders) {
  const fs::path path = locate_plugin(path_or_name, folders);
  std::error_code missing;
  const fs::path real = fs::canonical(path, missing);
  if (missing) fail("{}: {}", path.string(), missing.message());
  if (!fs::is_regular_file(real)) fail("{}: is no PJRT plugin: it is no file", path.string());

  // Plugins stay loaded until the process ends, so the map does too.
  static std::mutex mutex;
  static auto& loaded = *new std::map<fs::path, std::shared_ptr<const Plugin>>;
  const std::lock_guard lock(mutex);
  auto found = loaded.find(real);
  if (found == loaded.end())
    found = loaded.emplace(real, std::shared_ptr<const Plugin>(new Plugin(real))).first;
  return found->second;
}

Plugin::Plugin(fs::path path) : path_(std::move(path)), api_(open(path_)) {
  check_version(path_, api_);
  initialize(path_, api_);
  identity_ = identify(path_, api_);
}

ApiVersion Plugin::api_version() const {
  return {api_->pjrt_api_version.major_version, api_->pjrt_api_version.minor_version};
}

bool Plugin::has(Extension extension) const {
  for (const auto* link = api_->extension_start; link != nullptr; link = link->next)
    if (number_in(link->type) == static_cast<int>(extension)) return true;
  return false;
}

Options Plugin::attributes() const {
  auto args = PJRT_NEW(PJRT_Plugin_Attributes_Args);
  if (!call_if_offered(api_, &PJRT_Api::PJRT_Plugin_Attributes, args)) return {};
  return from_named_values({args.attributes, args.num_attributes});
}

}  // namespace ippatsu::pjrt
