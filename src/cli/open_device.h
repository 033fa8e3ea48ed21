#pragma once

// Devices by the names that the command line gives them.

#include <string>

#include <torch/torch.h>

namespace ippatsu::cli {

// "cpu" is torch's own; "ippatsu" and "ippatsu:N" are ours, of the plugin (a path, a short name, or
// empty for the default), which is loaded first. Fails on anything else.
torch::Device open_device(const std::string& name, const std::string& plugin);

}  // namespace ippatsu::cli
