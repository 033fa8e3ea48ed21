#pragma once

// A program while it is being recorded: an append-only list of operations in the order they were
// made. Values are cheap handles into it. Operations are added through builder.h, one function per
// StableHLO operation; program.h turns what the roots need into a fingerprint and into text.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hlo/opcode.h"
#include "hlo/type.h"

namespace ippatsu::hlo {

class Graph;
struct Node;

// One result of one operation. Valid as long as its graph is.
struct Value {
  const Node* node = nullptr;
  int result = 0;

  explicit operator bool() const { return node != nullptr; }
  const Type& type() const;
  DType dtype() const { return type().dtype; }
  const Dims& dims() const { return type().dims; }
  int64_t rank() const { return type().rank(); }
  int64_t dim(int64_t index) const;  // fails if there is none of that index
  Graph& graph() const;

  friend bool operator==(const Value&, const Value&) = default;
};

using Values = std::vector<Value>;
using Attributes = std::vector<int64_t>;

// A function that an operation calls: the body of a reduce, sort, scatter, while ... It sees
// nothing but its arguments.
struct Region;
using Regions = std::vector<std::shared_ptr<const Region>>;

// A value that is known when the program runs, not when it is compiled: a learning rate, a seed.
// Both members hold the same number; the scalar's element type says which one counts.
struct HostScalar {
  double floating = 0;
  int64_t integer = 0;
};

struct Node {
  Opcode opcode;
  std::vector<Type> types;  // of the results
  Values operands;
  Attributes attributes;  // what they mean is the opcode's business: see builder.cpp and opcode.cpp
  Regions regions;
  Graph* graph = nullptr;
  const char* scope = "";  // the source operation this was recorded for, such as "aten::gelu"

  // Outside the fingerprint: the input a Parameter stands for, the number a Scalar carries.
  int64_t parameter = -1;
  HostScalar scalar;

  uint64_t hash = 0;           // of everything above but operands and scope
  mutable int32_t number = 0;  // scratch of Program: its place among the operations that are needed
};

inline const Type& Value::type() const { return node->types[static_cast<size_t>(result)]; }
inline Graph& Value::graph() const { return *node->graph; }

class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // An input of the program; `index` is the caller's number for it.
  Value parameter(Type type, int64_t index);

  // A rank-0 input whose value travels with the program's other scalars in one small buffer.
  Value scalar(DType dtype, HostScalar value);

  Value add(Opcode opcode, Type type, Values operands, Attributes attributes = {},
            Regions regions = {});
  const Node* add(Opcode opcode, std::vector<Type> types, Values operands,
                  Attributes attributes = {}, Regions regions = {});

  const std::deque<Node>& nodes() const { return nodes_; }

 private:
  friend class Scope;

  const Node* append(Node node);

  std::deque<Node> nodes_;
  const char* scope_ = "";
};

struct Region {
  Graph graph;
  Values arguments;
  Values results;
  uint64_t hash = 0;
};

// Gets a region's arguments and returns its results. A value from outside is an error.
using Body = std::function<Values(std::span<const Value>)>;

// Records a region with arguments of the given types.
std::shared_ptr<const Region> make_region(std::span<const Type> arguments, const Body& body);

// The same with arguments of rank 0.
std::shared_ptr<const Region> make_region(std::span<const DType> arguments, const Body& body);

// Names the source operation for everything recorded while it lives.
class Scope {
 public:
  Scope(Graph& graph, const char* name) : graph_(graph), outer_(graph.scope_) {
    graph.scope_ = name;
  }
  ~Scope() { graph_.scope_ = outer_; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Graph& graph_;
  const char* outer_;
};

}  // namespace ippatsu::hlo
