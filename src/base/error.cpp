#include "base/error.h"

namespace ippatsu {

Error Error::within(std::string_view place) const {
  return Error(fmt::format("{}: {}", place, what()));
}

}  // namespace ippatsu
