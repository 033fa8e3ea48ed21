#include "data/record_files.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/ranges.h>

#include "base/error.h"

namespace ippatsu::data {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kEndings = {".mjlog", ".xml",  ".json",
                                                      ".jsonl", ".mjai", ".mjson"};

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool ends_like_a_record(const fs::path& name) {
  return std::ranges::find(kEndings, name.extension().string()) != kEndings.end();
}

bool named_like_a_record(const fs::path& path) {
  const fs::path name = path.filename();
  return ends_like_a_record(name.extension() == ".gz" ? name.stem() : name);
}

void add_folder(const fs::path& folder, std::vector<fs::path>& files) {
  for (auto entry = fs::recursive_directory_iterator(folder);
       entry != fs::recursive_directory_iterator(); ++entry) {
    const bool hidden = is_hidden(entry->path());
    if (hidden && entry->is_directory()) entry.disable_recursion_pending();
    if (!hidden && entry->is_regular_file() && named_like_a_record(entry->path()))
      files.push_back(entry->path());
  }
}

void add_path(const fs::path& path, std::vector<fs::path>& files) {
  try {
    const fs::file_status status = fs::status(path);
    if (!fs::exists(status)) fail("{}: there is no such file or folder", path.string());
    if (fs::is_directory(status)) return add_folder(path, files);
    if (!fs::is_regular_file(status)) fail("{}: is neither a file nor a folder", path.string());
    files.push_back(path);
  } catch (const fs::filesystem_error& error) {
    fail("{}: cannot be searched for records: {}", path.string(), error.code().message());
  }
}

}  // namespace

std::vector<fs::path> record_files(std::span<const fs::path> paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) add_path(path, files);
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  if (!files.empty()) return files;
  if (paths.empty()) fail("no game records were given: name a file or a folder of them");
  std::vector<std::string> names;
  for (const fs::path& path : paths) names.push_back(path.string());
  fail("{}: holds no game record (files ending in {}, each also with .gz)", fmt::join(names, ", "),
       fmt::join(kEndings, " "));
}

fs::path without_record_ending(fs::path path) {
  if (path.extension() == ".gz") path.replace_extension();
  while (ends_like_a_record(path)) path.replace_extension();
  return path;
}

}  // namespace ippatsu::data
