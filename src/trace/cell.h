#pragma once

// The contents of one storage on a device: a flat array, either a buffer or a value that waits in
// the pending graph. Tensors that share a storage share its cell, so views alias by construction.

#include <cstdint>
#include <memory>

#include "hlo/graph.h"
#include "pjrt/buffer.h"

namespace ippatsu::trace {

class Trace;

class Cell {
 public:
  // An array of `elements` of `dtype`, not initialized: it reads as zeros.
  Cell(Trace& trace, hlo::DType dtype, int64_t elements);
  ~Cell();
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

  Trace& trace() const { return trace_; }
  hlo::DType dtype() const { return dtype_; }
  int64_t elements() const { return elements_; }
  int64_t bytes() const { return elements_ * hlo::byte_width(dtype_); }

  // How many elements of another type the memory holds, rounded up, and whether without a rest.
  int64_t elements_of(hlo::DType dtype) const {
    const int64_t width = hlo::byte_width(dtype);
    return (bytes() + width - 1) / width;
  }
  bool holds_whole(hlo::DType dtype) const { return bytes() % hlo::byte_width(dtype) == 0; }

  bool is_pending() const { return static_cast<bool>(pending_); }

 private:
  // The memory counts as elements of another type from now on.
  void become(hlo::DType dtype) {
    elements_ = elements_of(dtype);
    dtype_ = dtype;
  }

  friend class Trace;
  friend class PendingCells;

  Trace& trace_;
  hlo::DType dtype_;
  int64_t elements_;

  // At most one of the two is set. Their dims may be any that hold `elements_`, row-major.
  std::shared_ptr<const pjrt::Buffer> buffer_;
  hlo::Value pending_;

  // The input of the pending graph that the pending value took the place of, -1 if none: its memory
  // can be given to the new value.
  int64_t replaced_input_ = -1;

  // The list of pending cells, in the order in which they became pending.
  Cell* previous_ = nullptr;
  Cell* next_ = nullptr;
};

// The cells that wait, in order: a list through the cells themselves, since cells come and go at
// every op.
class PendingCells {
 public:
  void append(Cell& cell);
  void remove(Cell& cell);
  Cell* first() const { return first_; }
  static Cell* next(const Cell& cell) { return cell.next_; }

 private:
  Cell* first_ = nullptr;
  Cell* last_ = nullptr;
};

}  // namespace ippatsu::trace
