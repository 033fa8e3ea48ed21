#pragma once

// A running plugin: its devices, and the way of tensors and programs onto them. Example:
//
//     auto client = Client::create(Plugin::load("cpu"), {{"cpu_device_count", 8}});
//     const Device& device = client->devices()[0];
//     Buffer x = client->upload({DType::F32, {2, 3}}, std::as_bytes(std::span(values)), device);
//     auto program = client->compile(stablehlo_text);
//     const Buffer* arguments[] = {&x};
//     std::vector<Buffer> results = program->execute(arguments);
//     results[0].download(std::as_writable_bytes(std::span(values))).wait();
//
// All of it may be used from several threads at once.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hlo/type.h"
#include "pjrt/buffer.h"
#include "pjrt/compile_options.h"
#include "pjrt/device.h"
#include "pjrt/executable.h"
#include "pjrt/handle.h"
#include "pjrt/plugin.h"

namespace ippatsu::pjrt {

class Client : public std::enable_shared_from_this<Client> {
 public:
  // Starts the plugin. Which options there are is the plugin's business; CPU plugins take
  // `cpu_device_count`. Fails with the plugin's text.
  static std::shared_ptr<Client> create(std::shared_ptr<const Plugin> plugin,
                                        const Options& options = {});
  Client(const Client&) = delete;

  const Plugin& plugin() const { return *plugin_; }
  const std::string& platform_name() const { return platform_name_; }        // "cpu"
  const std::string& platform_version() const { return platform_version_; }  // free text

  // The devices that this process can use.
  std::span<const Device> devices() const { return devices_; }

  // The one with this id. Fails, listing the ids there are.
  const Device& device(int id) const;

  // Fails if the device is not one of this client's.
  void check_device(const Device& device) const;

  // Copies a dense row-major tensor to the device, during the call: `host` may be reused at once.
  // Fails if `host` has not exactly type.bytes() bytes.
  Buffer upload(const hlo::Type& type, std::span<const std::byte> host, const Device& device) const;

  // The same without a copy where the device can work in host memory (a CPU can, if `host` is
  // aligned to 64 bytes); elsewhere the copy goes on after the return. `host` must not change while
  // the plugin uses it; `keep` is let go, on any thread, when it no longer does. Donating the
  // buffer leaves `host` as it is.
  Buffer upload(const hlo::Type& type, std::shared_ptr<const void> keep,
                std::span<const std::byte> host, const Device& device) const;

  // Compiles StableHLO text. Fails with the compiler's message.
  std::shared_ptr<const Executable> compile(std::string_view stablehlo_text,
                                            const CompileOptions& options = {}) const;

  // Loads what Executable::serialize gave. Fails if the bytes are damaged or come from another
  // build of the plugin.
  std::shared_ptr<const Executable> deserialize(std::string_view bytes) const;

  PJRT_Client* handle() const { return handle_.get(); }

 private:
  Client(std::shared_ptr<const Plugin> plugin, Handle<PJRT_Client> handle);
  const PJRT_Api* api() const { return plugin_->api(); }

  std::shared_ptr<const Plugin> plugin_;
  Handle<PJRT_Client> handle_;
  std::string platform_name_;
  std::string platform_version_;
  std::vector<Device> devices_;
};

}  // namespace ippatsu::pjrt
