#pragma once

// The one boxed kernel: it turns a call's arguments into HLO values, calls the row, and makes the
// results tensors, or writes them into the arguments that the op returns.

#include <vector>

#include <ATen/core/boxing/OperatorKernel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "device/index_arguments.h"
#include "device/layout.h"
#include "device/memory_sharing.h"
#include "ops/table.h"

namespace ippatsu::device {

class RowKernel final : public c10::OperatorKernel {
 public:
  // For the op of the row itself, or for one that mutates arguments: `functional` is the op that
  // the row is written for, whose arguments come first among the op's own, and `targets` are the
  // positions of the arguments that take the results, in order; none: they are new tensors.
  RowKernel(ops::OpRow row, const c10::OperatorHandle& functional, std::vector<size_t> targets);

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  torch::jit::Stack* stack) const;

 private:
  void run(const c10::OperatorHandle& op, torch::jit::Stack& stack) const;
  void check_targets(c10::ArrayRef<c10::IValue> arguments) const;
  void run_with_positions(const c10::OperatorHandle& op, torch::jit::Stack& stack) const;

  ops::OpRow row_;
  const c10::FunctionSchema& functional_;
  std::vector<size_t> targets_;
  const IndexRule* positions_;  // null: it takes none
  Arrangement arrangement_;
  MemorySharing sharing_;
  bool takes_host_tensors_;
};

}  // namespace ippatsu::device
