#pragma once

// Between at::Tensor and the trace: a tensor on the device is a plain TensorImpl whose storage
// holds a Cell, and its sizes, strides and offset are a view of it.

#include <optional>

#include <ATen/core/Tensor.h>

#include "ops/lowering.h"
#include "trace/trace.h"

namespace ippatsu::device {

bool is_ours(const at::Tensor& tensor);

// The cell behind a tensor, and its trace. Fails for a tensor without storage.
trace::Cell& cell_of(const at::Tensor& tensor);

trace::View view_of(const at::Tensor& tensor);

// The tensor's elements as a value, on its own trace, whose lock is held.
hlo::Value read(const at::Tensor& tensor);

// Replaces the tensor's elements, converted to its type. `value` has its shape.
void write(const at::Tensor& tensor, hlo::Value value);

// ATen may note on a tensor, instead of computing it, that its memory holds the conjugate or the
// negative of what it stands for, and leaves that to matrix products. From the one to the other.
hlo::Value as_noted(hlo::Value value, const at::Tensor& tensor);

// A new tensor that holds `value`, with strides that name each element once; none: row-major.
at::Tensor make_tensor(trace::Trace& trace, c10::DeviceIndex index, hlo::Value value,
                       c10::IntArrayRef strides = {});

// A host tensor's elements as an input of the pending program.
hlo::Value input(trace::Trace& trace, const at::Tensor& host);

// The elements as a dense host tensor of the same type. Waits.
at::Tensor to_host(const at::Tensor& tensor);

void resize_storage(const c10::Storage& storage, int64_t bytes);

// How rows see tensors: those on the device through their cells, those on the host as inputs.
class Reader final : public ops::TensorReader {
 public:
  // Host tensors of rank 0 are numbers, which every operator takes; of others only some do.
  Reader(trace::Trace& trace, c10::DeviceIndex index, bool takes_host_tensors)
      : trace_(trace), index_(index), takes_host_tensors_(takes_host_tensors) {}
  hlo::Value read(const at::Tensor& tensor) override;
  hlo::Value random_state(const std::optional<at::Generator>& generator) override;

 private:
  trace::Trace& trace_;
  c10::DeviceIndex index_;
  bool takes_host_tensors_;
};

}  // namespace ippatsu::device
