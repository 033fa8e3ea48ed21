#pragma once

// The one way to call into a plugin. Internal to the layer: it brings in the C header.

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

#include <pjrt_c_api.h>

#include "base/error.h"
#include "pjrt/handle.h"

namespace ippatsu::pjrt {

template <typename Struct>
Struct sized(size_t size) {
  Struct value{};
  value.struct_size = size;
  return value;
}

// A zeroed struct of the C API that knows its size: the header's constant, not sizeof, whose
// padding another version would read as fields.
#define PJRT_NEW(Struct) (::ippatsu::pjrt::sized<Struct>(Struct##_STRUCT_SIZE))

// The number in an enum field that a plugin filled in. A newer plugin knows values that this
// header's enum lacks, and loading those as the enum would be undefined.
template <typename Enum>
int number_in(const Enum& field) {
  static_assert(std::is_enum_v<Enum> && sizeof(Enum) == sizeof(int));
  int number;
  std::memcpy(&number, &field, sizeof number);
  return number;
}

// What went wrong, in the plugin's own words.
struct Failure {
  int code;  // a PJRT_Error_Code
  std::string text;
};

// Reads `error` and gives it back to the plugin. Never throws for what the plugin does.
Failure take_failure(const PJRT_Api* api, PJRT_Error* error);

template <typename Args>
using Function = PJRT_Error* (*PJRT_Api::*)(Args*);

// Whether the plugin has the function: an older one has a shorter table.
template <typename Member>
bool offers(const PJRT_Api* api, Member PJRT_Api::*member) {
  const auto* field = reinterpret_cast<const std::byte*>(&(api->*member));
  const auto end = field - reinterpret_cast<const std::byte*>(api) + sizeof(Member);
  return static_cast<size_t>(end) <= api->struct_size && api->*member != nullptr;
}

[[noreturn]] void fail_not_offered(const PJRT_Api* api);

// The bare call. Plugins are C++ behind their C interface, and some let exceptions out.
template <typename Args>
PJRT_Error* invoke(const PJRT_Api* api, Function<Args> function, Args& args) {
  try {
    return (api->*function)(&args);
  } catch (const std::exception& exception) {
    fail("the plugin threw {}", exception.what());
  }
}

// Calls and returns `args` with its outputs. Fails with the plugin's text.
template <typename Args>
Args& call(const PJRT_Api* api, Function<Args> function, Args& args) {
  if (!offers(api, function)) fail_not_offered(api);
  if (PJRT_Error* error = invoke(api, function, args)) throw Error(take_failure(api, error).text);
  return args;
}

// The same for what a plugin may leave out: false if this one does.
template <typename Args>
bool call_if_offered(const PJRT_Api* api, Function<Args> function, Args& args) {
  if (!offers(api, function)) return false;
  PJRT_Error* error = invoke(api, function, args);
  if (error == nullptr) return true;
  const Failure failure = take_failure(api, error);
  if (failure.code != PJRT_Error_Code_UNIMPLEMENTED) throw Error(failure.text);
  return false;
}

}  // namespace ippatsu::pjrt
