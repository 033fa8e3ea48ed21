#include "device/sized.h"

namespace ippatsu::device {

void register_sized_ops() {}

}  // namespace ippatsu::device
