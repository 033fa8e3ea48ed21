#pragma once

// XLA flags that serve short-lived programs better than XLA's own defaults, for plugins that read
// XLA_FLAGS. See docs/decisions/cheaper-code-generation.md.

#include <optional>
#include <string>

namespace ippatsu::pjrt {

// XLA reads the variable once, when its first client starts: while this lives, our defaults stand
// in it, ahead of what the user has set. A user who sets the same flag has the last word.
class DefaultFlags {
 public:
  DefaultFlags();
  ~DefaultFlags();
  DefaultFlags(const DefaultFlags&) = delete;
  DefaultFlags& operator=(const DefaultFlags&) = delete;

 private:
  std::optional<std::string> users_;
};

}  // namespace ippatsu::pjrt
