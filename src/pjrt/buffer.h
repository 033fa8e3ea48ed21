#pragma once

// A tensor in device memory, possibly still being computed.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "hlo/type.h"
#include "pjrt/device.h"
#include "pjrt/event.h"
#include "pjrt/handle.h"
#include "pjrt/memory_use.h"

namespace ippatsu::pjrt {

class Client;

// What a buffer is and where it lies. Shared by all buffers that one result of an executable
// yields, so that running a program asks the plugin for nothing.
struct Placement {
  std::shared_ptr<const Client> client;
  hlo::Type type;
  const Device* device;
};

// A copy to the host in flight. It can only be waited for; its end of life waits too.
class [[nodiscard]] PendingDownload {
 public:
  explicit PendingDownload(Event done) : done_(std::move(done)) {}
  PendingDownload(PendingDownload&&) noexcept = default;
  PendingDownload& operator=(PendingDownload&& other) noexcept;
  ~PendingDownload();

  // Blocks until the destination holds the tensor. Fails with the plugin's text if the computation
  // or the copy failed.
  void wait();

 private:
  void finish() noexcept;

  Event done_;
};

class Buffer {
 public:
  // Takes over `handle`.
  Buffer(std::shared_ptr<const Placement> placement, Handle<PJRT_Buffer> handle)
      : placement_(std::move(placement)),
        handle_(std::move(handle)),
        memory_(placement_->type.bytes()) {}
  Buffer(Buffer&&) noexcept = default;
  Buffer& operator=(Buffer&& other) noexcept;

  const hlo::Type& type() const { return placement_->type; }
  const Device& device() const { return *placement_->device; }
  const std::shared_ptr<const Client>& client() const { return placement_->client; }

  // Bytes of device memory, padding included.
  int64_t bytes_on_device() const;

  // Starts copying the tensor, dense and row-major, to `destination`, which has exactly
  // type().bytes() bytes and must stay until the copy has ended. The buffer itself may go before.
  PendingDownload download(std::span<std::byte> destination) const;

  // Starts copying the tensor to another device of the same client.
  Buffer copy_to(const Device& device) const;

  // Happens when the tensor has been computed, or could not be.
  Event ready() const;

  // Whether the memory is gone: donated to an executable.
  bool deleted() const;

  // The memory is about to be donated: it counts as a result's from now on.
  void count_as_donated() const { memory_.give_back(); }

  // Null after a move.
  PJRT_Buffer* handle() const { return handle_.get(); }

 private:
  const PJRT_Api* api() const { return handle_.get_deleter().api; }

  std::shared_ptr<const Placement> placement_;
  Handle<PJRT_Buffer> handle_;
  mutable MemoryUse memory_;
};

}  // namespace ippatsu::pjrt
