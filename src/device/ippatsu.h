#pragma once

// PyTorch on any XLA device. Call `initialize` once, then use the device as any other:
//
//     ippatsu::initialize();
//     torch::Device device("ippatsu");
//     model->to(device);
//     for (...) { step(); ippatsu::sync(); }
//
// Operators only record; `sync()` compiles what was recorded, once, and runs it. Reading a value
// (`item()`, `cpu()`, printing) syncs by itself and waits.

#include <filesystem>
#include <string>
#include <vector>

#include "pjrt/options.h"
#include "trace/metrics.h"

namespace ippatsu {

struct InitializeOptions {
  std::string plugin;  // a path, or a short name such as "cpu"; empty: IPPATSU_PLUGIN, else "cpu"
  pjrt::Options create_options;                             // passed to the plugin
  std::vector<std::filesystem::path> package_folders = {};  // of Python, to look for plugins in
};

// Loads the plugin and registers the device `ippatsu`. A second call with the same options does
// nothing; with others it fails.
void initialize(const InitializeOptions& options = {});

// Registers the device, and leaves loading the plugin to the device's first use.
void register_device(const InitializeOptions& options = {});

struct PluginInfo {
  std::string path;
  std::string version;   // of the C API, and what the plugin says about itself
  std::string platform;  // "cpu", "cuda" ...
  int devices = 0;
};

// What was loaded.
PluginInfo plugin_info();

// Runs what was recorded on every device, without waiting for the results.
void sync();

// Waits until the devices have nothing left to do.
void wait();

using trace::Metrics;

// What was done since the start, or since the last reset.
Metrics metrics();
void reset_metrics();

// The metrics as a few lines for people.
std::string metrics_report();

// In strict mode an op without a row raises instead of running on the host. Off, unless
// IPPATSU_STRICT=1.
void strict(bool on);

}  // namespace ippatsu
