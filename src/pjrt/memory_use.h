#pragma once

// Bytes that the buffers of this process take on its devices, counted here because not every plugin
// counts. What a program takes while it runs is not among them.

#include <cstdint>
#include <utility>

namespace ippatsu::pjrt {

class MemoryUse {
 public:
  explicit MemoryUse(int64_t bytes);
  MemoryUse(MemoryUse&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryUse& operator=(MemoryUse&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MemoryUse() { give_back(); }

  // The memory is gone, or somebody else's.
  void give_back() noexcept;

  static int64_t bytes();
  static int64_t peak_bytes();  // since the start, or since forget_peak()
  static void forget_peak();

 private:
  int64_t bytes_;
};

}  // namespace ippatsu::pjrt
