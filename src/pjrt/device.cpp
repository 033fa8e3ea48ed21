#include "pjrt/device.h"

#include "pjrt/call.h"

namespace ippatsu::pjrt {

namespace {

PJRT_DeviceDescription* describe(const PJRT_Api* api, PJRT_Device* device) {
  auto args = PJRT_NEW(PJRT_Device_GetDescription_Args);
  args.device = device;
  return call(api, &PJRT_Api::PJRT_Device_GetDescription, args).device_description;
}

int read_id(const PJRT_Api* api, PJRT_DeviceDescription* description) {
  auto args = PJRT_NEW(PJRT_DeviceDescription_Id_Args);
  args.device_description = description;
  return call(api, &PJRT_Api::PJRT_DeviceDescription_Id, args).id;
}

std::string read_kind(const PJRT_Api* api, PJRT_DeviceDescription* description) {
  auto args = PJRT_NEW(PJRT_DeviceDescription_Kind_Args);
  args.device_description = description;
  call(api, &PJRT_Api::PJRT_DeviceDescription_Kind, args);
  return {args.device_kind, args.device_kind_size};
}

std::string read_debug_string(const PJRT_Api* api, PJRT_DeviceDescription* description) {
  auto args = PJRT_NEW(PJRT_DeviceDescription_DebugString_Args);
  args.device_description = description;
  call(api, &PJRT_Api::PJRT_DeviceDescription_DebugString, args);
  return {args.debug_string, args.debug_string_size};
}

std::optional<int64_t> if_set(int64_t value, bool is_set) {
  return is_set ? std::optional(value) : std::nullopt;
}

}  // namespace

Device::Device(const PJRT_Api* api, PJRT_Device* handle)
    : api_(api),
      handle_(handle),
      id_(read_id(api, describe(api, handle))),
      kind_(read_kind(api, describe(api, handle))),
      description_(read_debug_string(api, describe(api, handle))) {}

std::optional<MemoryStats> Device::memory_stats() const {
  auto args = PJRT_NEW(PJRT_Device_MemoryStats_Args);
  args.device = handle_;
  if (!call_if_offered(api_, &PJRT_Api::PJRT_Device_MemoryStats, args)) return std::nullopt;
  return MemoryStats{
      .bytes_in_use = args.bytes_in_use,
      .peak_bytes_in_use = if_set(args.peak_bytes_in_use, args.peak_bytes_in_use_is_set),
      .bytes_limit = if_set(args.bytes_limit, args.bytes_limit_is_set),
      .largest_allocation_bytes = if_set(args.largest_alloc_size, args.largest_alloc_size_is_set),
      .allocations = if_set(args.num_allocs, args.num_allocs_is_set),
  };
}

}  // namespace ippatsu::pjrt
