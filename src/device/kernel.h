#pragma once

// The one boxed kernel: it turns a call's arguments into HLO values, calls the row, and makes the
// results tensors, or writes them into the arguments that the op returns.

#include <vector>

#include <ATen/core/boxing/OperatorKernel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "device/index_arguments.h"
#include "ops/table.h"

namespace ippatsu::device {

class RowKernel final : public c10::OperatorKernel {
 public:
  // For the op of the row itself, or for one that mutates arguments: `functional` is the schema
  // that the row is written for, whose arguments come first among the op's own, and `targets` are
  // the positions of the arguments that take the results, in order; none: they are new tensors.
  RowKernel(ops::OpRow row, const c10::FunctionSchema& functional, std::vector<size_t> targets)
      : row_(row),
        functional_(functional),
        targets_(std::move(targets)),
        positions_(find_index_rule(row.name)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  torch::jit::Stack* stack) const;

 private:
  void run(const c10::OperatorHandle& op, torch::jit::Stack& stack) const;
  void run_with_positions(const c10::OperatorHandle& op, torch::jit::Stack& stack) const;

  ops::OpRow row_;
  const c10::FunctionSchema& functional_;
  std::vector<size_t> targets_;
  const IndexRule* positions_;  // null: it takes none
};

}  // namespace ippatsu::device
