#pragma once

// One move-only owner per C handle. What the handle stands on (its client) must outlive it; the
// types of this layer hold both, the handle last.

#include <memory>

struct PJRT_Api;
struct PJRT_Buffer;
struct PJRT_Client;
struct PJRT_Error;
struct PJRT_Event;
struct PJRT_Executable;
struct PJRT_LoadedExecutable;

namespace ippatsu::pjrt {

// Gives a handle back to the plugin that made it. A failure is logged, never thrown.
struct Destroy {
  const PJRT_Api* api = nullptr;

  void operator()(PJRT_Buffer* buffer) const noexcept;
  void operator()(PJRT_Client* client) const noexcept;
  void operator()(PJRT_Error* error) const noexcept;
  void operator()(PJRT_Event* event) const noexcept;
  void operator()(PJRT_Executable* executable) const noexcept;
  void operator()(PJRT_LoadedExecutable* executable) const noexcept;
};

template <typename T>
using Handle = std::unique_ptr<T, Destroy>;

}  // namespace ippatsu::pjrt
