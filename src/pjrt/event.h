#pragma once

// Something that will have happened: a buffer became ready, a copy ended.

#include <functional>
#include <memory>

#include "base/error.h"
#include "pjrt/handle.h"

namespace ippatsu::pjrt {

class Event {
 public:
  // What is called with the failure, or with null where all went well.
  using Callback = std::function<void(const Error* error)>;

  // Takes over `handle`; `parent` (the client) lives at least as long. Without a handle the event
  // has happened already.
  Event(std::shared_ptr<const void> parent, Handle<PJRT_Event> handle)
      : parent_(std::move(parent)), handle_(std::move(handle)) {}
  Event(Event&&) noexcept = default;
  Event& operator=(Event&& other) noexcept;

  // Blocks until the event has happened. Fails with the plugin's text if what it stands for failed.
  void wait() const;

  // Whether it has happened, successfully or not. Never blocks.
  bool ready() const;

  // Calls `callback` once, when the event has happened: at once on this thread if it has, otherwise
  // on a thread of the plugin, where it must neither block nor drop the last owner of the client.
  // What it throws is logged.
  void on_ready(Callback callback) const;

 private:
  std::shared_ptr<const void> parent_;
  Handle<PJRT_Event> handle_;
};

}  // namespace ippatsu::pjrt
