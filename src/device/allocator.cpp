#include "device/allocator.h"

#include "base/error.h"
#include "device/guard.h"
#include "device/runtime.h"

namespace ippatsu::device {

namespace {

// What a process can address.
constexpr int64_t kMostBytes = int64_t{1} << 47;

void delete_cell(void* cell) { delete static_cast<trace::Cell*>(cell); }

class CellAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    const c10::DeviceIndex index = current_device();
    try {
      return device::allocate(Runtime::get().trace(index), index, hlo::DType::U8,
                              static_cast<int64_t>(bytes));
    } catch (const Error& error) {
      TORCH_CHECK(false, error.what());
    }
  }

  void copy_data(void*, const void*, size_t) const override {
    TORCH_CHECK(false, "the memory of the device ippatsu cannot be copied by address; use copy_");
  }
};

}  // namespace

void check_allocatable(int64_t bytes) {
  if (bytes < 0 || bytes >= kMostBytes)
    fail("can't allocate memory: you tried to allocate {} bytes", static_cast<uint64_t>(bytes));
}

c10::DataPtr allocate(trace::Trace& trace, c10::DeviceIndex index, hlo::DType dtype,
                      int64_t elements) {
  if (elements >= kMostBytes) check_allocatable(elements);
  check_allocatable(elements * hlo::byte_width(dtype));
  // The address only tells storages apart; nobody may look behind it.
  auto* cell = new trace::Cell(trace, dtype, elements);
  return {cell, cell, delete_cell, c10::Device(c10::DeviceType::PrivateUse1, index)};
}

c10::Allocator* allocator() {
  static CellAllocator instance;
  return &instance;
}

void register_allocator() { c10::SetAllocator(c10::DeviceType::PrivateUse1, allocator()); }

}  // namespace ippatsu::device
