#pragma once

// The one exception type of Ippatsu. A message says what was asked, what came, what was wanted and
// what to do next; code that knows more about the place adds it on the way up:
//
//     if (dim >= rank) fail("dim {} is out of range for {}", dim, type);
//     ...
//     catch (Error& error) { throw error.within("sum"); }      // "sum: dim 5 is out of range ..."

#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace ippatsu {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  // The same error with `place` in front: "place: message".
  Error within(std::string_view place) const;
};

// Throws an Error with a formatted message.
template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace ippatsu
