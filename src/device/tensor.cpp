#include "device/tensor.h"

#include <ATen/EmptyTensor.h>
#include <ATen/Functions.h>

#include "base/error.h"
#include "device/allocator.h"
#include "device/generator.h"
#include "hlo/matrix.h"
#include "ops/dtype.h"

namespace ippatsu::device {

using hlo::Value;

bool is_ours(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().is_privateuseone();
}

trace::Cell& cell_of(const at::Tensor& tensor) {
  if (!is_ours(tensor))
    fail("a tensor on {} has no memory on the device ippatsu", tensor.device().str());
  // The address of a storage is its cell's; one that torch made from an address has nothing else.
  auto* cell = static_cast<trace::Cell*>(tensor.storage().data_ptr().get());
  if (cell == nullptr)
    fail("a tensor of shape {} on the device ippatsu has no storage", c10::str(tensor.sizes()));
  return *cell;
}

trace::View view_of(const at::Tensor& tensor) {
  return {tensor.sizes(), tensor.strides(), tensor.storage_offset()};
}

Value read(const at::Tensor& tensor) {
  trace::Cell& cell = cell_of(tensor);
  return cell.trace().read(cell, view_of(tensor), ops::dtype_of(tensor.scalar_type()));
}

void write(const at::Tensor& tensor, Value value) {
  trace::Cell& cell = cell_of(tensor);
  cell.trace().write(cell, view_of(tensor),
                     hlo::convert(value, ops::dtype_of(tensor.scalar_type())));
}

Value as_noted(Value value, const at::Tensor& tensor) {
  if (tensor.is_conj()) value = hlo::conjugate(value);
  return tensor.is_neg() ? -value : value;
}

at::Tensor make_tensor(trace::Trace& trace, c10::DeviceIndex index, Value value,
                       c10::IntArrayRef strides) {
  const hlo::Type& type = value.type();
  c10::DataPtr data = allocate(trace, index, type.dtype, type.elements());
  auto& cell = *static_cast<trace::Cell*>(data.get_context());
  c10::Storage storage(c10::Storage::use_byte_size_t(), static_cast<size_t>(type.bytes()),
                       std::move(data), allocator(),
                       /*resizable=*/true);
  at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
      c10::scalarTypeToTypeMeta(ops::scalar_type_of(type.dtype)));
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  strides.empty() ? impl->set_sizes_contiguous(type.dims)
                  : impl->set_sizes_and_strides(type.dims, strides);
  trace.write(cell, view_of(tensor), value);
  return tensor;
}

namespace {

std::span<const std::byte> host_bytes(const at::Tensor& dense) {
  return {static_cast<const std::byte*>(dense.const_data_ptr()), dense.nbytes()};
}

}  // namespace

Value input(trace::Trace& trace, const at::Tensor& host) {
  const at::Tensor dense = host.resolve_conj().resolve_neg().contiguous();
  return trace.input({ops::dtype_of(dense.scalar_type()), dense.sizes().vec()}, host_bytes(dense));
}

at::Tensor to_host(const at::Tensor& tensor) {
  at::Tensor host = at::detail::empty_cpu(tensor.sizes(), tensor.scalar_type());
  trace::Cell& cell = cell_of(tensor);
  const std::span destination(static_cast<std::byte*>(host.mutable_data_ptr()), host.nbytes());
  cell.trace().download(cell, view_of(tensor), ops::dtype_of(tensor.scalar_type()), destination);
  return host;
}

void resize_storage(const c10::Storage& storage, int64_t bytes) {
  check_allocatable(bytes);
  auto& cell = *static_cast<trace::Cell*>(storage.data_ptr().get());
  cell.trace().resize(cell, bytes);
  storage.set_nbytes(static_cast<size_t>(bytes));
}

Value Reader::read(const at::Tensor& tensor) {
  const bool is_here = is_ours(tensor) && &cell_of(tensor).trace() == &trace_;
  if (is_here) return as_noted(device::read(tensor), tensor);
  if (!is_ours(tensor) && (takes_host_tensors_ || tensor.dim() == 0)) return input(trace_, tensor);
  fail(
      "Expected all tensors to be on the same device, but found at least two devices, ippatsu:{} "
      "and {}!",
      index_, tensor.device().str());
}

Value Reader::random_state(const std::optional<at::Generator>& generator) {
  return next_state(generator && generator->defined() ? *generator : default_generator(index_),
                    trace_.graph());
}

}  // namespace ippatsu::device
