#pragma once

// What a set of roots needs of a graph: its inputs in a fixed order, a fingerprint that tells
// whether the same program was compiled before, and, only when it was not, the text to compile.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hlo/graph.h"

namespace ippatsu::hlo {

// 128 bits over structure, types and constants; the values of inputs and scalars are no part of it.
struct Fingerprint {
  uint64_t low = 0;
  uint64_t high = 0;

  // Folds in something else that the compiled program depends on.
  void extend(uint64_t word);

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// The scalars of one element type: they travel as one rank-1 input, in this order.
struct ScalarPack {
  DType dtype;
  std::vector<const Node*> scalars;

  Type type() const { return {dtype, {static_cast<int64_t>(scalars.size())}}; }

  // The scalars' values as bytes in host memory, ready to be sent.
  std::vector<std::byte> bytes() const;
};

class Program {
 public:
  // The part of the graph of `roots` that they depend on. Roots are values of one graph.
  explicit Program(Values roots);

  const Fingerprint& fingerprint() const { return fingerprint_; }

  // The inputs: first the parameters, in order of recording, then the scalar packs.
  const std::vector<const Node*>& parameters() const { return parameters_; }
  const std::vector<ScalarPack>& scalar_packs() const { return scalar_packs_; }

  // What is computed, in order of recording: operands come first.
  const std::vector<const Node*>& operations() const { return operations_; }

  // Bytes of the constants that the text spells out element by element.
  int64_t constant_bytes() const;

  // The scope that the largest of them was recorded in; empty where there is none.
  std::string largest_constant_scope() const;

  // How many operations are needed, inputs not counted.
  int64_t size() const { return static_cast<int64_t>(operations_.size()); }

  // The StableHLO module. `aliased_output[i]` is the output that takes over the buffer of parameter
  // i, -1 where there is none; the span may be empty.
  std::string text(std::span<const int> aliased_output = {}) const;

 private:
  Values roots_;
  std::vector<const Node*> parameters_;
  std::vector<ScalarPack> scalar_packs_;
  std::vector<const Node*> operations_;
  Fingerprint fingerprint_;
};

}  // namespace ippatsu::hlo

template <>
struct std::hash<ippatsu::hlo::Fingerprint> {
  size_t operator()(const ippatsu::hlo::Fingerprint& fingerprint) const { return fingerprint.low; }
};
