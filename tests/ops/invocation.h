#pragma once

// A line, understood: the operator, its arguments by the operator's schema, and what is asked of
// the results.

#include <optional>
#include <string>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "line.h"
#include "tensor_spec.h"

namespace ippatsu::optest {

struct Wanted {
  std::optional<double> rtol, atol;           // instead of those of the element type
  bool gradients = true;                      // compare them too, where there are any
  bool forms = true;                          // run the in-place and out= forms too
  bool random = false;                        // compare shape and element type only, and see below
  std::optional<std::string> raises;          // both raise; ours says this
  std::optional<std::string> known;           // a known gap: the line must fail, for this reason
  std::optional<double> mean, std, min, max;  // of the first result
};

class Invocation {
 public:
  // Fails with what is wrong about the line.
  explicit Invocation(const Line& line);

  const c10::OperatorHandle& op() const { return op_; }
  const Wanted& wanted() const { return wanted_; }

  // The arguments, in the order of the schema. The maker makes the tensors among them.
  torch::jit::Stack arguments(TensorMaker& maker) const;

 private:
  void add(const std::string& word);
  bool set_wanted(std::string_view name, const std::string& value);

  c10::OperatorHandle op_;
  std::vector<std::optional<std::string>> texts_;  // one per argument of the schema
  size_t positional_ = 0;
  Wanted wanted_;
};

// "aten::add.Tensor" as an operator. Fails for one that ATen does not have.
c10::OperatorHandle find_op(std::string_view name);

// The in-place and out= forms of an operator: those that take the same arguments, and change as
// many as there are results.
std::vector<c10::OperatorHandle> mutating_forms(const c10::FunctionSchema& functional);

// The positions of the arguments that an operator changes.
std::vector<size_t> mutated_arguments(const c10::FunctionSchema& schema);

}  // namespace ippatsu::optest
