#include "pjrt/call.h"

namespace ippatsu::pjrt {

Failure take_failure(const PJRT_Api* api, PJRT_Error* error) {
  const Handle<PJRT_Error> owner(error, {api});
  auto message = PJRT_NEW(PJRT_Error_Message_Args);
  message.error = error;
  api->PJRT_Error_Message(&message);
  Failure failure{PJRT_Error_Code_UNKNOWN, std::string(message.message, message.message_size)};

  auto code = PJRT_NEW(PJRT_Error_GetCode_Args);
  code.error = error;
  const Handle<PJRT_Error> code_failure(api->PJRT_Error_GetCode(&code), {api});
  if (code_failure == nullptr) failure.code = number_in(code.code);
  return failure;
}

void fail_not_offered(const PJRT_Api* api) {
  fail("the plugin speaks PJRT API {}.{}, which lacks a call needed here; use a newer plugin",
       api->pjrt_api_version.major_version, api->pjrt_api_version.minor_version);
}

}  // namespace ippatsu::pjrt
