#include "cli/open_device.h"

#include "base/error.h"
#include "device/ippatsu.h"

namespace ippatsu::cli {

torch::Device open_device(const std::string& name, const std::string& plugin) {
  if (name == "cpu") return torch::kCPU;
  if (name != "ippatsu" && !name.starts_with("ippatsu:")) {
    fail("there is no device `{}`; there are cpu, ippatsu and ippatsu:N", name);
  }
  initialize({.plugin = plugin});
  try {
    const torch::Device device(name);
    const int count = plugin_info().devices;
    if (device.index() < count) return device;
    fail("there is no device {}; the plugin has {}, from ippatsu:0", name, count);
  } catch (const c10::Error&) {
    fail("`{}` is no device; write ippatsu or ippatsu:N", name);
  }
}

}  // namespace ippatsu::cli
