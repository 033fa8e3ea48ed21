#include "device/backend.h"

#include <c10/core/DeviceType.h>

#include "device/allocator.h"
#include "device/autocast.h"
#include "device/call_site.h"
#include "device/fallback.h"
#include "device/guard.h"
#include "device/hooks.h"
#include "device/native.h"
#include "device/registration.h"
#include "device/sized.h"
#include "device/sparse.h"

namespace ippatsu::device {

void register_backend() {
  static const bool once = [] {
    c10::register_privateuse1_backend("ippatsu");
    register_allocator();
    register_guard();
    register_hooks();
    register_native_ops();
    register_sized_ops();
    register_sparse();
    register_rows();
    register_fallback();
    register_autocast();
    register_call_sites();
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace ippatsu::device
