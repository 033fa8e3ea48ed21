// What Python calls, as operators of the library `ippatsu`: `torch.ops.ippatsu.sync()`. Through
// torch's own dispatcher, so that one build serves every Python, and errors arrive as exceptions.

#include <nlohmann/json.hpp>

#include <torch/library.h>

#include "base/error.h"
#include "device/generator.h"
#include "device/guard.h"
#include "device/ippatsu.h"
#include "device/runtime.h"
#include "pjrt/memory_use.h"

namespace ippatsu::python {

namespace {

using device::Runtime;
using nlohmann::json;

std::string metrics_json() {
  const Metrics metrics = ippatsu::metrics();
  json fallbacks = json::object();
  for (const auto& [op, fallback] : metrics.fallbacks) fallbacks[op] = fallback.count;
  return json{
      {"compiles", metrics.compiles},           {"cache_hits", metrics.cache_hits},
      {"executions", metrics.executions},       {"compile_seconds", metrics.compile_seconds},
      {"host_reads", metrics.host_reads},       {"bytes_to_device", metrics.bytes_to_device},
      {"bytes_to_host", metrics.bytes_to_host}, {"peak_device_bytes", metrics.peak_device_bytes},
      {"fallbacks", std::move(fallbacks)}}
      .dump();
}

void register_device(const std::vector<std::string>& package_folders) {
  ippatsu::register_device({.package_folders = {package_folders.begin(), package_folders.end()}});
}

int64_t device_count() { return device::available_devices(); }

int64_t current_device() { return device::current_device(); }

// Fails if there is no such device.
trace::Trace& trace_of(int64_t index) {
  const auto device_index = static_cast<c10::DeviceIndex>(index);
  if (index < 0 || index != device_index) fail("there is no device ippatsu:{}", index);
  return Runtime::get().trace(device_index);
}

at::Generator generator_of(int64_t index) {
  trace_of(index);
  return device::default_generator(static_cast<c10::DeviceIndex>(index));
}

void synchronize(int64_t index) { trace_of(index).wait(); }

at::Tensor rng_state(int64_t index) { return generator_of(index).get_state(); }

void set_rng_state(const at::Tensor& state, int64_t index) {
  at::Generator generator = generator_of(index);
  generator.set_state(state);
}

int64_t initial_seed(int64_t index) {
  return static_cast<int64_t>(generator_of(index).current_seed());
}

void manual_seed(int64_t seed) { device::seed_default_generators(static_cast<uint64_t>(seed)); }

void set_device(int64_t index) {
  trace_of(index);
  device::set_current_device(static_cast<c10::DeviceIndex>(index));
}

std::string device_name(int64_t index) { return trace_of(index).device().kind(); }

TORCH_LIBRARY(ippatsu, library) {
  library.def("register_device(str[] package_folders) -> ()", &register_device);
  library.def("sync() -> ()", &ippatsu::sync);
  library.def("metrics() -> str", &metrics_json);
  library.def("reset_metrics() -> ()", &ippatsu::reset_metrics);
  library.def("report() -> str", &ippatsu::metrics_report);
  library.def("strict(bool on) -> ()", &ippatsu::strict);
  library.def("is_started() -> bool", &Runtime::is_started);
  library.def("device_count() -> int", &device_count);
  library.def("device_name(int index) -> str", &device_name);
  library.def("current_device() -> int", &current_device);
  library.def("set_device(int index) -> ()", &set_device);
  library.def("synchronize(int index) -> ()", &synchronize);
  library.def("rng_state(int index) -> Tensor", &rng_state);
  library.def("set_rng_state(Tensor state, int index) -> ()", &set_rng_state);
  library.def("initial_seed(int index) -> int", &initial_seed);
  library.def("manual_seed(int seed) -> ()", &manual_seed);
  library.def("memory_in_use() -> int", &pjrt::MemoryUse::bytes);
  library.def("peak_memory() -> int", &pjrt::MemoryUse::peak_bytes);
  library.def("forget_peak_memory() -> ()", &pjrt::MemoryUse::forget_peak);
}

}  // namespace

}  // namespace ippatsu::python
