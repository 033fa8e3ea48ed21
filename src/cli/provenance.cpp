#include "cli/provenance.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

#include <fmt/chrono.h>

#include "base/child_process.h"
#include "base/error.h"

namespace ippatsu::cli {

namespace {

namespace fs = std::filesystem;

// "model name : Intel(R) Xeon(R)" of /proc/cpuinfo.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

// The checkout that the program was built in; nothing where it lies elsewhere.
std::optional<fs::path> checkout() {
  for (fs::path folder = own_program(); folder.has_relative_path();) {
    folder = folder.parent_path();
    if (fs::exists(folder / ".git")) return folder;
  }
  return std::nullopt;
}

// The commit that the program was built from, with "-dirty" where files differ from it; empty
// outside a checkout.
std::string commit() {
  const auto folder = checkout();
  if (!folder) return "";
  try {
    // A checkout may belong to another user than the one who measures.
    ChildProcess git({"/usr/bin/git", "-c", "safe.directory=*", "--no-optional-locks", "-C",
                      folder->string(), "describe", "--always", "--dirty", "--abbrev=40",
                      "--exclude=*"});
    return git.read_line();
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

report::Context provenance(const std::string& command) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return {.machine = processor(),
          .cores = static_cast<int>(std::thread::hardware_concurrency()),
          .commit = commit(),
          .date = fmt::format("{:%Y-%m-%dT%H:%M:%S+00:00}", fmt::gmtime(now)),
          .command = command};
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  if (!words.empty()) words.pop_back();
  std::ranges::replace(words, '\0', ' ');
  return words;
}

}  // namespace ippatsu::cli
