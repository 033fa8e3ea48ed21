#include "pjrt/event.h"

#include "base/log.h"
#include "pjrt/call.h"

namespace ippatsu::pjrt {

namespace {

struct Waiter {
  const PJRT_Api* api;
  Event::Callback callback;

  void run(PJRT_Error* raw) const noexcept {
    try {
      if (raw == nullptr) return callback(nullptr);
      const Error error(take_failure(api, raw).text);
      callback(&error);
    } catch (const std::exception& error) {
      log().error("in a callback of a PJRT event: {}", error.what());
    }
  }
};

}  // namespace

Event& Event::operator=(Event&& other) noexcept {
  handle_ = std::move(other.handle_);
  parent_ = std::move(other.parent_);
  return *this;
}

void Event::wait() const {
  if (handle_ == nullptr) return;
  auto args = PJRT_NEW(PJRT_Event_Await_Args);
  args.event = handle_.get();
  call(handle_.get_deleter().api, &PJRT_Api::PJRT_Event_Await, args);
}

bool Event::ready() const {
  if (handle_ == nullptr) return true;
  auto args = PJRT_NEW(PJRT_Event_IsReady_Args);
  args.event = handle_.get();
  return call(handle_.get_deleter().api, &PJRT_Api::PJRT_Event_IsReady, args).is_ready;
}

void Event::on_ready(Callback callback) const {
  const PJRT_Api* api = handle_.get_deleter().api;
  auto waiter = std::make_unique<Waiter>(api, std::move(callback));
  if (handle_ == nullptr) return waiter->run(nullptr);
  auto args = PJRT_NEW(PJRT_Event_OnReady_Args);
  args.event = handle_.get();
  args.user_arg = waiter.get();
  args.callback = [](PJRT_Error* error, void* user_arg) {
    std::unique_ptr<Waiter>(static_cast<Waiter*>(user_arg))->run(error);
  };
  call(api, &PJRT_Api::PJRT_Event_OnReady, args);
  (void)waiter.release();  // the callback owns it, and may have ended it already
}

}  // namespace ippatsu::pjrt
