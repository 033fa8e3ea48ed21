#pragma once

#include <cstdint>
#include <optional>
#include <string>

struct PJRT_Api;
struct PJRT_Device;

namespace ippatsu::pjrt {

// Bytes of device memory, as the plugin's allocator counts them.
struct MemoryStats {
  int64_t bytes_in_use = 0;
  std::optional<int64_t> peak_bytes_in_use;
  std::optional<int64_t> bytes_limit;
  std::optional<int64_t> largest_allocation_bytes;
  std::optional<int64_t> allocations;  // a count
};

// One device that the client can run on. The client owns it: a Device is used by reference and is
// valid while the client lives.
class Device {
 public:
  Device(const PJRT_Api* api, PJRT_Device* handle);
  Device(Device&&) = default;

  // Unique among the devices of a platform, over all hosts.
  int id() const { return id_; }

  // The maker's name of this kind of device: "cpu", "NVIDIA H200".
  const std::string& kind() const { return kind_; }

  // All that the plugin has to say about the device, for logs.
  const std::string& description() const { return description_; }

  // Nothing where the plugin does not count.
  std::optional<MemoryStats> memory_stats() const;

  PJRT_Device* handle() const { return handle_; }

 private:
  const PJRT_Api* api_;
  PJRT_Device* handle_;
  int id_;
  std::string kind_;
  std::string description_;
};

}  // namespace ippatsu::pjrt
