#include "device/allocator.h"

#include "device/guard.h"
#include "device/runtime.h"

namespace ippatsu::device {

namespace {

void delete_cell(void* cell) { delete static_cast<trace::Cell*>(cell); }

class CellAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    const c10::DeviceIndex index = current_device();
    return device::allocate(Runtime::get().trace(index), index, hlo::DType::U8,
                            static_cast<int64_t>(bytes));
  }

  void copy_data(void*, const void*, size_t) const override {
    TORCH_CHECK(false, "the memory of the device ippatsu cannot be copied by address; use copy_");
  }
};

}  // namespace

c10::DataPtr allocate(trace::Trace& trace, c10::DeviceIndex index, hlo::DType dtype,
                      int64_t elements) {
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
