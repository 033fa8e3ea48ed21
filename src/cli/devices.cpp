#include "cli/devices.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "pjrt/client.h"

namespace ippatsu::cli {

namespace {

using nlohmann::ordered_json;
using pjrt::PluginLocation;

struct DevicesOptions {
  std::string plugin;  // a path or a short name; empty: all that are found
  bool json = false;
};

ordered_json describe(const pjrt::Device& device) {
  ordered_json entry{{"id", device.id()}, {"kind", device.kind()}};
  if (const auto memory = device.memory_stats()) {
    entry["bytes_in_use"] = memory->bytes_in_use;
    if (memory->bytes_limit) entry["bytes_limit"] = *memory->bytes_limit;
  }
  return entry;
}

// Adds what only a running plugin tells.
void describe_running(const PluginLocation& location, ordered_json& entry) {
  const auto plugin = pjrt::Plugin::load(location.path.string());
  const auto version = plugin->api_version();
  entry["api_version"] = fmt::format("{}.{}", version.major, version.minor);
  const auto client = pjrt::Client::create(plugin);
  entry["platform"] = client->platform_name();
  entry["devices"] = ordered_json::array();
  for (const pjrt::Device& device : client->devices()) entry["devices"].push_back(describe(device));
}

// One that does not start is listed too, with the reason under "error".
ordered_json describe(const PluginLocation& location) {
  ordered_json entry{
      {"name", location.name}, {"path", location.path.string()}, {"source", location.source}};
  try {
    describe_running(location, entry);
  } catch (const Error& error) {
    entry["error"] = error.what();
  }
  return entry;
}

std::vector<PluginLocation> chosen_plugins(const std::string& plugin) {
  if (plugin.empty()) {
    auto search = pjrt::find_plugins();
    if (search.found.empty())
      fail("no PJRT plugin found; looked at {}; give one with --plugin PATH",
           fmt::join(search.looked, ", "));
    return std::move(search.found);
  }
  const auto path = pjrt::locate_plugin(plugin);
  const bool by_path = path.string() == plugin;
  return {{by_path ? path.stem().string() : plugin, path, "--plugin"}};
}

std::string mebibytes(const ordered_json& bytes) {
  return fmt::format("{} MiB", bytes.get<int64_t>() >> 20);
}

std::string memory_for_people(const ordered_json& device) {
  if (!device.contains("bytes_in_use")) return "memory not told";
  const std::string used = mebibytes(device["bytes_in_use"]);
  if (!device.contains("bytes_limit")) return used + " in use";
  return fmt::format("{} of {} in use", used, mebibytes(device["bytes_limit"]));
}

std::string text(const ordered_json& entry, const char* key) {
  return entry[key].get<std::string>();
}

void print_for_people(const ordered_json& plugin) {
  std::cout << fmt::format("{}\n  path      {}\n  found by  {}\n", text(plugin, "name"),
                           text(plugin, "path"), text(plugin, "source"));
  if (plugin.contains("api_version"))
    std::cout << fmt::format("  PJRT API  {}\n", text(plugin, "api_version"));
  if (plugin.contains("platform"))
    std::cout << fmt::format("  platform  {}\n", text(plugin, "platform"));
  if (plugin.contains("error")) std::cout << fmt::format("  error     {}\n", text(plugin, "error"));
  for (const auto& device : plugin.value("devices", ordered_json::array()))
    std::cout << fmt::format("  device {:<2} {}, {}\n", device["id"].get<int>(),
                             text(device, "kind"), memory_for_people(device));
}

bool usable(const ordered_json& plugin) { return !plugin.contains("error"); }

void run(const DevicesOptions& options) {
  ordered_json plugins = ordered_json::array();
  for (const PluginLocation& location : chosen_plugins(options.plugin))
    plugins.push_back(describe(location));
  if (plugins.size() == 1 && !usable(plugins[0])) fail("{}", text(plugins[0], "error"));
  if (options.json)
    std::cout << ordered_json{{"plugins", plugins}}.dump(2) << "\n";
  else
    for (const auto& plugin : plugins) print_for_people(plugin);
  if (std::ranges::none_of(plugins, usable)) fail("no PJRT plugin here can be used");
}

}  // namespace

void add_devices_command(CLI::App& app) {
  auto options = std::make_shared<DevicesOptions>();
  CLI::App* command =
      app.add_subcommand("devices", "List the PJRT plugins found and the devices behind them");
  command->add_option("--plugin", options->plugin,
                      "A plugin's path or short name (cpu, cuda, tpu ...); all by default");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options] { run(*options); });
}

}  // namespace ippatsu::cli
