#include "pjrt/handle.h"

#include "base/log.h"
#include "pjrt/call.h"

namespace ippatsu::pjrt {

namespace {

template <typename Args>
void destroy(const PJRT_Api* api, Function<Args> function, Args args, const char* what) noexcept {
  try {
    call(api, function, args);
  } catch (const std::exception& error) {
    log().error("giving back a PJRT {}: {}", what, error.what());
  }
}

}  // namespace

void Destroy::operator()(PJRT_Buffer* buffer) const noexcept {
  auto args = PJRT_NEW(PJRT_Buffer_Destroy_Args);
  args.buffer = buffer;
  destroy(api, &PJRT_Api::PJRT_Buffer_Destroy, args, "buffer");
}

void Destroy::operator()(PJRT_Client* client) const noexcept {
  auto args = PJRT_NEW(PJRT_Client_Destroy_Args);
  args.client = client;
  destroy(api, &PJRT_Api::PJRT_Client_Destroy, args, "client");
}

void Destroy::operator()(PJRT_Error* error) const noexcept {
  auto args = PJRT_NEW(PJRT_Error_Destroy_Args);
  args.error = error;
  api->PJRT_Error_Destroy(&args);
}

void Destroy::operator()(PJRT_Event* event) const noexcept {
  auto args = PJRT_NEW(PJRT_Event_Destroy_Args);
  args.event = event;
  destroy(api, &PJRT_Api::PJRT_Event_Destroy, args, "event");
}

void Destroy::operator()(PJRT_Executable* executable) const noexcept {
  auto args = PJRT_NEW(PJRT_Executable_Destroy_Args);
  args.executable = executable;
  destroy(api, &PJRT_Api::PJRT_Executable_Destroy, args, "program");
}

void Destroy::operator()(PJRT_LoadedExecutable* executable) const noexcept {
  auto args = PJRT_NEW(PJRT_LoadedExecutable_Destroy_Args);
  args.executable = executable;
  destroy(api, &PJRT_Api::PJRT_LoadedExecutable_Destroy, args, "loaded program");
}

}  // namespace ippatsu::pjrt
