#pragma once

// A compiled program, loaded on its devices.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hlo/type.h"
#include "pjrt/buffer.h"
#include "pjrt/handle.h"

namespace ippatsu::pjrt {

class Client;

// Bytes that one run takes on one device.
struct MemoryPlan {
  int64_t arguments = 0;
  int64_t outputs = 0;
  int64_t temporaries = 0;
  int64_t aliased = 0;  // counted in arguments and in outputs, but taken once
  int64_t code = 0;
};

class Executable {
 public:
  // Takes over `handle`, compiled by `client`.
  Executable(std::shared_ptr<const Client> client, Handle<PJRT_LoadedExecutable> handle);
  Executable(const Executable&) = delete;

  // The program's name: that of its module.
  const std::string& name() const { return name_; }

  // Where it runs, in the order in which execute() takes arguments and gives results.
  std::span<const Device* const> devices() const { return devices_; }

  // What it takes and gives on one device. The parameters are known only where the plugin shows its
  // optimized program, as XLA's own plugins do.
  const std::optional<std::vector<hlo::Type>>& parameter_types() const { return parameter_types_; }
  std::span<const hlo::Type> output_types() const { return output_types_; }

  // Starts a run and returns at once; the results become ready later, and carry the error if the
  // run fails on the device. With several devices, arguments and results come device by device.
  //
  // An argument whose parameter the program aliases with a result (`tf.aliasing_output`) is
  // donated: its buffer is deleted() afterwards, unless its index is in `not_donated`.
  //
  // Fails if the count or a type is not the program's, or if a buffer is deleted, empty, on another
  // device or of another client.
  std::vector<Buffer> execute(std::span<const Buffer* const> arguments,
                              std::span<const int> not_donated = {}) const;

  // Nothing where the plugin does not say.
  std::optional<MemoryPlan> memory_plan() const;

  // Bytes for Client::deserialize; nothing where the plugin cannot.
  std::optional<std::string> serialize() const;

 private:
  const PJRT_Api* api() const { return handle_.get_deleter().api; }
  void check_arguments(std::span<const Buffer* const> arguments) const;
  void check_argument(const Buffer* argument, size_t index, const hlo::Type* parameter) const;

  std::shared_ptr<const Client> client_;
  Handle<PJRT_LoadedExecutable> handle_;
  Handle<PJRT_Executable> program_;
  std::string name_;
  std::vector<const Device*> devices_;
  std::optional<std::vector<hlo::Type>> parameter_types_;
  std::vector<hlo::Type> output_types_;
  std::vector<std::shared_ptr<const Placement>> placements_;  // [devices x outputs]
};

}  // namespace ippatsu::pjrt
