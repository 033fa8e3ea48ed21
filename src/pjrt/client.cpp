#include "pjrt/client.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "base/log.h"
#include "pjrt/call.h"
#include "pjrt/default_flags.h"
#include "pjrt/element_type.h"
#include "pjrt/named_value.h"
#include "pjrt/seal.h"

namespace ippatsu::pjrt {

namespace {

std::string read_platform_name(const PJRT_Api* api, PJRT_Client* client) {
  auto args = PJRT_NEW(PJRT_Client_PlatformName_Args);
  args.client = client;
  call(api, &PJRT_Api::PJRT_Client_PlatformName, args);
  return {args.platform_name, args.platform_name_size};
}

std::string read_platform_version(const PJRT_Api* api, PJRT_Client* client) {
  auto args = PJRT_NEW(PJRT_Client_PlatformVersion_Args);
  args.client = client;
  call(api, &PJRT_Api::PJRT_Client_PlatformVersion, args);
  return {args.platform_version, args.platform_version_size};
}

std::vector<Device> read_devices(const PJRT_Api* api, PJRT_Client* client) {
  auto args = PJRT_NEW(PJRT_Client_AddressableDevices_Args);
  args.client = client;
  call(api, &PJRT_Api::PJRT_Client_AddressableDevices, args);
  std::vector<Device> devices;
  for (PJRT_Device* device : std::span(args.addressable_devices, args.num_addressable_devices))
    devices.emplace_back(api, device);
  if (devices.empty()) fail("the plugin has no device for this process");
  return devices;
}

// The type comes from outside: its size must not overflow.
int64_t host_bytes(const hlo::Type& type) {
  int64_t bytes = byte_width(type.dtype);
  for (const int64_t dim : type.dims)
    if (dim < 0 || __builtin_mul_overflow(bytes, dim, &bytes))
      fail("{} is no type that a tensor can have", to_string(type));
  return bytes;
}

struct Upload {
  Handle<PJRT_Buffer> buffer;
  Handle<PJRT_Event> done_with_host;
};

Upload start_upload(const Client& client, const hlo::Type& type, std::span<const std::byte> host,
                    const Device& device, PJRT_HostBufferSemantics semantics) {
  if (std::ssize(host) != host_bytes(type))
    fail("{} takes {} bytes, not {}", to_string(type), host_bytes(type), host.size());
  static constexpr std::byte kNothing{};
  const PJRT_Api* api = client.plugin().api();
  auto args = PJRT_NEW(PJRT_Client_BufferFromHostBuffer_Args);
  args.client = client.handle();
  args.data = host.empty() ? &kNothing : host.data();
  args.type = to_pjrt(type.dtype);
  args.dims = type.dims.data();
  args.num_dims = type.dims.size();
  args.host_buffer_semantics = semantics;
  args.device = device.handle();
  call(api, &PJRT_Api::PJRT_Client_BufferFromHostBuffer, args);
  return {{args.buffer, {api}}, {args.done_with_host_buffer, {api}}};
}

}  // namespace

std::shared_ptr<Client> Client::create(std::shared_ptr<const Plugin> plugin,
                                       const Options& options) {
  const std::vector<PJRT_NamedValue> values = to_named_values(options);
  auto args = PJRT_NEW(PJRT_Client_Create_Args);
  args.create_options = values.data();
  args.num_options = values.size();
  const std::filesystem::path path = plugin->path();
  const DefaultFlags flags;
  try {
    call(plugin->api(), &PJRT_Api::PJRT_Client_Create, args);
    Handle<PJRT_Client> handle(args.client, {plugin->api()});
    return std::shared_ptr<Client>(new Client(std::move(plugin), std::move(handle)));
  } catch (const Error& error) {
    throw error.within(fmt::format("starting {}", path.string()));
  }
}

Client::Client(std::shared_ptr<const Plugin> plugin, Handle<PJRT_Client> handle)
    : plugin_(std::move(plugin)),
      handle_(std::move(handle)),
      platform_name_(read_platform_name(api(), handle_.get())),
      platform_version_(read_platform_version(api(), handle_.get())),
      devices_(read_devices(api(), handle_.get())) {}

const Device& Client::device(int id) const {
  const auto device = std::ranges::find(devices_, id, &Device::id);
  if (device != devices_.end()) return *device;
  std::vector<int> ids;
  std::ranges::transform(devices_, std::back_inserter(ids), &Device::id);
  fail("{} has no device {}; it has {}", platform_name_, id, fmt::join(ids, ", "));
}

void Client::check_device(const Device& device) const {
  if (std::ranges::find(devices_, device.handle(), &Device::handle) == devices_.end())
    fail("device {} ({}) belongs to another client", device.id(), device.kind());
}

Buffer Client::upload(const hlo::Type& type, std::span<const std::byte> host,
                      const Device& device) const {
  check_device(device);
  Upload upload =
      start_upload(*this, type, host, device, PJRT_HostBufferSemantics_kImmutableOnlyDuringCall);
  return {std::make_shared<Placement>(Placement{shared_from_this(), type, &device}),
          std::move(upload.buffer)};
}

Buffer Client::upload(const hlo::Type& type, std::shared_ptr<const void> keep,
                      std::span<const std::byte> host, const Device& device) const {
  check_device(device);
  Upload upload =
      start_upload(*this, type, host, device, PJRT_HostBufferSemantics_kImmutableZeroCopy);
  const Event done(nullptr, std::move(upload.done_with_host));
  // A failed transfer shows on the buffer; here only the end of it matters.
  done.on_ready([keep = std::move(keep)](const Error*) {});
  return {std::make_shared<Placement>(Placement{shared_from_this(), type, &device}),
          std::move(upload.buffer)};
}

std::shared_ptr<const Executable> Client::compile(std::string_view stablehlo_text,
                                                  const CompileOptions& options) const {
  static constexpr std::string_view kFormat = "mlir";
  for (const int id : options.device_ids) device(id);
  const std::string serialized_options = serialize(options);
  auto program = PJRT_NEW(PJRT_Program);
  program.code = const_cast<char*>(stablehlo_text.data());
  program.code_size = stablehlo_text.size();
  program.format = kFormat.data();
  program.format_size = kFormat.size();
  auto args = PJRT_NEW(PJRT_Client_Compile_Args);
  args.client = handle_.get();
  args.program = &program;
  args.compile_options = serialized_options.data();
  args.compile_options_size = serialized_options.size();
  call(api(), &PJRT_Api::PJRT_Client_Compile, args);
  return std::make_shared<Executable>(shared_from_this(),
                                      Handle<PJRT_LoadedExecutable>(args.executable, {api()}));
}

std::shared_ptr<const Executable> Client::deserialize(std::string_view bytes) const {
  const std::string_view program = unseal(bytes, plugin_->identity());
  auto args = PJRT_NEW(PJRT_Executable_DeserializeAndLoad_Args);
  args.client = handle_.get();
  args.serialized_executable = program.data();
  args.serialized_executable_size = program.size();
  call(api(), &PJRT_Api::PJRT_Executable_DeserializeAndLoad, args);
  return std::make_shared<Executable>(
      shared_from_this(), Handle<PJRT_LoadedExecutable>(args.loaded_executable, {api()}));
}

}  // namespace ippatsu::pjrt
