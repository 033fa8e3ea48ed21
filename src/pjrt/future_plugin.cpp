// For tests: a plugin that speaks a major version of the API that does not exist yet, and nothing
// else.

#include <pjrt_c_api.h>

extern "C" const PJRT_Api* GetPjrtApi() {
  static PJRT_Api api = [] {
    PJRT_Api future{};
    future.struct_size = PJRT_Api_STRUCT_SIZE;
    future.pjrt_api_version.struct_size = PJRT_Api_Version_STRUCT_SIZE;
    future.pjrt_api_version.major_version = PJRT_API_MAJOR + 1;
    future.pjrt_api_version.minor_version = 2;
    return future;
  }();
  return &api;
}
