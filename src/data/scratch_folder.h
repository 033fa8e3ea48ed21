#pragma once

// For tests: an empty folder of one's own, gone at the end.

#include <atomic>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

namespace ippatsu::data {

class ScratchFolder {
 public:
  ScratchFolder() {
    static std::atomic<int> count;
    path_ =
        std::filesystem::temp_directory_path() / fmt::format("ippatsu-{}-{}", ::getpid(), count++);
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace ippatsu::data
