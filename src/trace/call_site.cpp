#include "trace/call_site.h"

#include <utility>

namespace ippatsu::trace {

namespace {

std::function<std::string()>& source() {
  static std::function<std::string()> instance;
  return instance;
}

}  // namespace

std::string call_site() { return source() ? source()() : std::string(); }

void set_call_site_source(std::function<std::string()> new_source) {
  source() = std::move(new_source);
}

}  // namespace ippatsu::trace
