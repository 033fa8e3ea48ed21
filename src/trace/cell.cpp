#include "trace/cell.h"

#include <utility>

#include "trace/trace.h"

namespace ippatsu::trace {

Cell::Cell(Trace& trace, hlo::DType dtype, int64_t elements)
    : trace_(trace), dtype_(dtype), elements_(elements) {}

Cell::~Cell() { trace_.forget(*this); }

void PendingCells::append(Cell& cell) {
  cell.previous_ = last_;
  (last_ == nullptr ? first_ : last_->next_) = &cell;
  last_ = &cell;
}

void PendingCells::remove(Cell& cell) {
  (cell.previous_ == nullptr ? first_ : cell.previous_->next_) = cell.next_;
  (cell.next_ == nullptr ? last_ : cell.next_->previous_) = cell.previous_;
  cell.previous_ = cell.next_ = nullptr;
}

}  // namespace ippatsu::trace
