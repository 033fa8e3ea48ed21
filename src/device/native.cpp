#include "device/native.h"

#include <deque>

#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/NativeFunctions.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorFactories.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "base/error.h"
#include "device/allocator.h"
#include "device/guard.h"
#include "device/runtime.h"
#include "device/tensor.h"
#include "hlo/matrix.h"
#include "ops/dtype.h"

namespace ippatsu::device {

namespace {

using at::IntArrayRef;
using at::Tensor;
using hlo::Value;

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

// Runs `body` and hands an Error of ours over to torch as its own.
template <typename Body>
decltype(auto) across_border(const char* op, Body body) {
  try {
    return body();
  } catch (const Error& error) {
    TORCH_CHECK(false, op, ": ", error.what());
  }
}

// --- creation

c10::ScalarType checked_type(std::optional<c10::ScalarType> type) {
  const c10::ScalarType wanted = c10::dtype_or_default(type);
  try {
    ops::dtype_of(wanted);
  } catch (const Error& error) {
    TORCH_CHECK_NOT_IMPLEMENTED(false, error.what());
  }
  return wanted;
}

void check_strided(std::optional<c10::Layout> layout) {
  TORCH_CHECK_NOT_IMPLEMENTED(c10::layout_or_default(layout) == c10::kStrided,
                              "the device ippatsu holds strided tensors only, not ", *layout);
}

Tensor empty(IntArrayRef size, std::optional<c10::ScalarType> type,
             std::optional<c10::Layout> layout, std::optional<c10::Device> device,
             std::optional<bool>, std::optional<c10::MemoryFormat> format) {
  check_strided(layout);
  return across_border("aten::empty", [&] {
    const c10::OptionalDeviceGuard guard(device);
    return Tensor(at::detail::empty_generic(size, allocator(), kKeys, checked_type(type), format));
  });
}

Tensor empty_strided(IntArrayRef size, IntArrayRef stride, std::optional<c10::ScalarType> type,
                     std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                     std::optional<bool>) {
  check_strided(layout);
  return across_border("aten::empty_strided", [&] {
    const c10::OptionalDeviceGuard guard(device);
    return Tensor(
        at::detail::empty_strided_generic(size, stride, allocator(), kKeys, checked_type(type)));
  });
}

// Zeros that need no storage, which ATen makes where a gradient is known to vanish.
Tensor zeros_without_storage(IntArrayRef size, std::optional<c10::ScalarType> type,
                             std::optional<c10::Layout>, std::optional<c10::Device> device,
                             std::optional<bool>) {
  return across_border("aten::_efficientzerotensor", [&] {
    const c10::OptionalDeviceGuard guard(device);
    at::native::ZeroTensorAllocator none(
        c10::Device(c10::DeviceType::PrivateUse1, current_device()));
    return Tensor(at::detail::empty_generic(size, &none, kKeys.add(c10::DispatchKey::ZeroTensor),
                                            checked_type(type), std::nullopt));
  });
}

// --- size

// Stretches the storage to hold all that the tensor names.
void fit_storage(const Tensor& self) {
  if (self.numel() == 0) return;
  const size_t bytes = at::detail::computeStorageNbytes(self.sizes(), self.strides(),
                                                        self.itemsize(), self.storage_offset());
  if (bytes > self.storage().nbytes()) resize_storage(self.storage(), static_cast<int64_t>(bytes));
}

const Tensor& resize(const Tensor& self, IntArrayRef size,
                     std::optional<c10::MemoryFormat> format) {
  return across_border("aten::resize_", [&]() -> const Tensor& {
    const bool plain = !format || *format == c10::MemoryFormat::Contiguous;
    c10::TensorImpl* impl = self.unsafeGetTensorImpl();
    if (plain && self.sizes() == size) return self;
    // Fails, before anything changes, where no storage can be as large.
    at::detail::computeStorageNbytesContiguous(size, self.itemsize(), self.storage_offset());
    impl->set_sizes_contiguous(size);
    if (!plain) impl->empty_tensor_restride(*format);
    fit_storage(self);
    return self;
  });
}

Tensor& set_storage(Tensor& self, at::Storage source, int64_t offset, IntArrayRef size,
                    IntArrayRef stride) {
  return across_border("aten::set_", [&]() -> Tensor& {
    // Fails for negative strides, which a tensor would take for row-major ones.
    at::detail::computeStorageNbytes(size, stride.empty() ? size : stride, self.itemsize());
    at::native::checkSetStorage(self, std::move(source), offset, size, stride);
    c10::TensorImpl* impl = self.unsafeGetTensorImpl();
    impl->set_storage_offset(offset);
    stride.empty() ? impl->set_sizes_contiguous(size) : impl->set_sizes_and_strides(size, stride);
    fit_storage(self);
    return self;
  });
}

Tensor& set_nothing(Tensor& self) {
  const c10::DeviceGuard guard(self.device());
  c10::Storage nothing(c10::Storage::use_byte_size_t(), 0, allocator(), /*resizable=*/true);
  return set_storage(self, std::move(nothing), 0, {0}, {});
}

Tensor& set_source_storage(Tensor& self, at::Storage source) {
  const auto elements = static_cast<int64_t>(source.nbytes() / self.itemsize());
  return set_storage(self, std::move(source), 0, {elements}, {});
}

Tensor& set_source_tensor(Tensor& self, const Tensor& source) {
  return set_storage(self, source.storage(), source.storage_offset(), source.sizes(),
                     source.strides());
}

// --- copies

// ATen notes on a tensor, instead of computing it, that its memory holds the conjugate or the
// negative of what it stands for.
Tensor with_notes_of(Tensor host, const Tensor& tensor) {
  host._set_conj(tensor.is_conj());
  host._set_neg(tensor.is_neg());
  return host;
}

Value as_noted(Value value, const Tensor& source, const Tensor& target) {
  if (source.is_conj() != target.is_conj()) value = hlo::conjugate(value);
  return source.is_neg() != target.is_neg() ? -value : value;
}

// The memory of a host tensor that stands for the same as `host` under the notes of `target`.
Tensor as_noted(const Tensor& host, const Tensor& target) {
  Tensor plain = host.resolve_conj().resolve_neg();
  if (target.is_conj()) plain = plain.conj_physical();
  return target.is_neg() ? plain.neg() : plain;
}

void copy_to_device(const Tensor& host, const Tensor& target) {
  const Tensor typed =
      as_noted(host.to(target.scalar_type()), target).expand(target.sizes()).contiguous();
  trace::Cell& cell = cell_of(target);
  trace::Trace& trace = cell.trace();
  const auto lock = trace.lock();
  const auto elements_of_storage =
      static_cast<int64_t>(target.storage().nbytes() / target.itemsize());
  if (!trace::covers(view_of(target), elements_of_storage))
    return write(target, input(trace, typed));
  const std::span bytes(static_cast<const std::byte*>(typed.const_data_ptr()), typed.nbytes());
  trace.upload(cell, {ops::dtype_of(typed.scalar_type()), typed.sizes().vec()}, bytes);
}

void copy_on_device(const Tensor& source, const Tensor& target) {
  if (&cell_of(source).trace() != &cell_of(target).trace())
    return copy_to_device(with_notes_of(to_host(source), source), target);
  cell_of(target).trace().cut_chain();
  const auto lock = cell_of(target).trace().lock();
  const hlo::Value value = hlo::convert(read(source), ops::dtype_of(target.scalar_type()));
  write(target, hlo::broadcast_to(as_noted(value, source, target), target.sizes().vec()));
}

void check_broadcasts_to(const Tensor& source, const Tensor& target) {
  const auto common = at::infer_size_dimvector(target.sizes(), source.sizes());
  TORCH_CHECK(target.sizes() == IntArrayRef(common), "output with shape ", target.sizes(),
              " doesn't match the broadcast shape ", IntArrayRef(common));
}

Tensor copy_from(const Tensor& self, const Tensor& target, bool) {
  return across_border("aten::copy_", [&] {
    check_broadcasts_to(self, target);
    if (!is_ours(target)) {
      const_cast<Tensor&>(target).copy_(with_notes_of(to_host(self), self));
    } else {
      at::assert_no_internal_overlap(target);
      at::assert_no_partial_overlap(target, self);
      is_ours(self) ? copy_on_device(self, target) : copy_to_device(self, target);
    }
    return target;
  });
}

Tensor copy_from_and_resize(const Tensor& self, const Tensor& target) {
  at::native::resize_output(target, self.sizes());
  return copy_from(self, target, false);
}

at::Scalar local_scalar_dense(const Tensor& self) {
  return across_border("aten::item", [&] { return to_host(self).item(); });
}

// There is one stream, and programs hold on to what they read.
void record_stream(Tensor&, c10::Stream) {}

// A module moves to the device by `set_data`, which asks whether a tensor may take over another's
// implementation. Tensors of the device are plain, so they may, from the host too.
bool has_compatible_shallow_copy_type(const Tensor&, const Tensor&) { return true; }

}  // namespace

void register_native_ops() {
  static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1,
                                __FILE__, __LINE__);
  library.impl("empty.memory_format", TORCH_FN(empty));
  library.impl("empty_strided", TORCH_FN(empty_strided));
  library.impl("_efficientzerotensor", TORCH_FN(zeros_without_storage));
  library.impl("resize_", TORCH_FN(resize));
  library.impl("set_", TORCH_FN(set_nothing));
  library.impl("is_set_to", TORCH_FN(at::native::is_set_to));
  library.impl("set_.source_Storage", TORCH_FN(set_source_storage));
  library.impl("set_.source_Storage_storage_offset", TORCH_FN(set_storage));
  library.impl("set_.source_Tensor", TORCH_FN(set_source_tensor));
  library.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
  library.impl("view", TORCH_FN(at::native::view));
  library.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
  library.impl("unfold", TORCH_FN(at::native::unfold));
  library.impl("view_as_real", TORCH_FN(at::native::view_as_real));
  library.impl("view_as_complex", TORCH_FN(at::native::view_as_complex));
  library.impl("_copy_from", TORCH_FN(copy_from));
  library.impl("_copy_from_and_resize", TORCH_FN(copy_from_and_resize));
  library.impl("record_stream", TORCH_FN(record_stream));
  library.impl("_local_scalar_dense", TORCH_FN(local_scalar_dense));
  library.impl("_has_compatible_shallow_copy_type", TORCH_FN(has_compatible_shallow_copy_type));
  // Copies heed the notes of conjugates and negatives themselves: ATen resolves notes by copying.
  for (const auto key : {c10::DispatchKey::Conjugate, c10::DispatchKey::Negative}) {
    static std::deque<torch::Library> noted;
    noted.emplace_back(torch::Library::IMPL, "aten", key, __FILE__, __LINE__)
        .impl("_copy_from", torch::CppFunction::makeFallthrough());
  }
}

}  // namespace ippatsu::device
