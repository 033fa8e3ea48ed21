#include "cli/advisers.h"

#include <filesystem>

#include "analysis/plain_advisers.h"
#include "base/error.h"
#include "cli/open_device.h"
#include "cli/players.h"
#include "nets/net_adviser.h"

namespace ippatsu::cli {

namespace {

std::unique_ptr<analysis::Adviser> adviser_of(const std::string& name, const std::string& device) {
  if (auto plain = analysis::plain_adviser(name)) return plain;
  const std::filesystem::path file = net_file(name);
  if (std::filesystem::exists(file))
    return std::make_unique<nets::NetAdviser>(file, open_device(device, {}));
  fail(
      "there is no net '{}': there are heuristic, greedy, and checkpoints by their file or the "
      "folder of their run",
      name);
}

}  // namespace

Advisers advisers_of(const std::vector<std::string>& names, const std::string& device) {
  Advisers advisers;
  for (const std::string& name : names) advisers.push_back(adviser_of(name, device));
  return advisers;
}

}  // namespace ippatsu::cli
