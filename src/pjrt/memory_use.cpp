#include "pjrt/memory_use.h"

#include <atomic>

namespace ippatsu::pjrt {

namespace {

std::atomic<int64_t> in_use = 0;
std::atomic<int64_t> peak = 0;

}  // namespace

MemoryUse::MemoryUse(int64_t bytes) : bytes_(bytes) {
  const int64_t now = in_use += bytes;
  int64_t known = peak;
  while (now > known && !peak.compare_exchange_weak(known, now)) {
  }
}

void MemoryUse::give_back() noexcept { in_use -= std::exchange(bytes_, 0); }

int64_t MemoryUse::bytes() { return in_use; }
int64_t MemoryUse::peak_bytes() { return peak; }
void MemoryUse::forget_peak() { peak = in_use.load(); }

}  // namespace ippatsu::pjrt
