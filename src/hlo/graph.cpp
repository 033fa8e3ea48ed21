#include "hlo/graph.h"

#include <utility>

#include "base/error.h"
#include "hlo/hash.h"

namespace ippatsu::hlo {

namespace {

uint64_t structural_hash(const Node& node) {
  uint64_t hash = mix(kHashSeed, static_cast<uint64_t>(node.opcode));
  for (const Type& type : node.types) {
    hash = mix(hash, static_cast<uint64_t>(type.dtype) << 32 | type.dims.size());
    for (const int64_t dim : type.dims) hash = mix(hash, static_cast<uint64_t>(dim));
  }
  for (const int64_t attribute : node.attributes)
    hash = mix(hash, static_cast<uint64_t>(attribute));
  for (const auto& region : node.regions) hash = mix(hash, region->hash);
  return hash;
}

uint64_t place(const Value& value) {
  return static_cast<uint64_t>(value.node->number) << 8 | static_cast<uint64_t>(value.result);
}

uint64_t region_hash(const Region& region) {
  uint64_t hash = kHashSeed;
  for (const Node& node : region.graph.nodes()) {
    hash = mix(hash, node.hash);
    for (const Value& operand : node.operands) hash = mix(hash, place(operand));
  }
  for (const Value& result : region.results) hash = mix(hash, place(result));
  return hash;
}

void check_graph(const Graph& graph, std::span<const Value> values) {
  for (const Value& value : values) {
    if (value.node == nullptr) fail("a value is missing");
    if (value.node->graph != &graph)
      fail("a value of another graph, {}: a region sees its arguments only",
           to_string(value.type()));
  }
}

}  // namespace

int64_t Value::dim(int64_t index) const {
  if (index < 0 || index >= rank()) fail("dim {} is out of range for {}", index, to_string(type()));
  return dims()[static_cast<size_t>(index)];
}

const Node* Graph::append(Node node) {
  check_graph(*this, node.operands);
  node.graph = this;
  node.scope = scope_;
  node.number = static_cast<int32_t>(nodes_.size());
  node.hash = structural_hash(node);
  return &nodes_.emplace_back(std::move(node));
}

const Node* Graph::add(Opcode opcode, std::vector<Type> types, Values operands,
                       Attributes attributes, Regions regions) {
  return append({.opcode = opcode,
                 .types = std::move(types),
                 .operands = std::move(operands),
                 .attributes = std::move(attributes),
                 .regions = std::move(regions)});
}

Value Graph::add(Opcode opcode, Type type, Values operands, Attributes attributes,
                 Regions regions) {
  std::vector<Type> types;
  types.push_back(std::move(type));
  return {add(opcode, std::move(types), std::move(operands), std::move(attributes),
              std::move(regions))};
}

Value Graph::parameter(Type type, int64_t index) {
  Node node{.opcode = Opcode::Parameter, .parameter = index};
  node.types.push_back(std::move(type));
  return {append(std::move(node))};
}

Value Graph::scalar(DType dtype, HostScalar value) {
  Node node{.opcode = Opcode::Scalar, .scalar = value};
  node.types.push_back({dtype, {}});
  return {append(std::move(node))};
}

std::shared_ptr<const Region> make_region(std::span<const Type> arguments, const Body& body) {
  auto region = std::make_shared<Region>();
  for (const Type& type : arguments) {
    const auto index = static_cast<int64_t>(region->arguments.size());
    region->arguments.push_back(region->graph.parameter(type, index));
  }
  region->results = body(region->arguments);
  check_graph(region->graph, region->results);
  region->hash = region_hash(*region);
  return region;
}

std::shared_ptr<const Region> make_region(std::span<const DType> arguments, const Body& body) {
  std::vector<Type> types;
  for (const DType dtype : arguments) types.push_back({dtype, {}});
  return make_region(types, body);
}

}  // namespace ippatsu::hlo
