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
  return node.region == nullptr ? hash : mix(hash, node.region->hash);
}

uint64_t region_hash(const Region& region) {
  uint64_t hash = kHashSeed;
  for (const Node& node : region.graph.nodes()) {
    hash = mix(hash, node.hash);
    for (const Value& operand : node.operands) {
      hash = mix(hash, static_cast<uint64_t>(operand.node->number) << 8 |
                           static_cast<uint64_t>(operand.result));
    }
  }
  for (const Value& result : region.results)
    hash = mix(hash, static_cast<uint64_t>(result.node->number));
  return hash;
}

}  // namespace

int64_t Value::dim(int64_t index) const {
  if (index < 0 || index >= rank()) fail("dim {} is out of range for {}", index, to_string(type()));
  return dims()[static_cast<size_t>(index)];
}

const Node* Graph::append(Node node) {
  node.graph = this;
  node.scope = scope_;
  node.number = static_cast<int32_t>(nodes_.size());
  node.hash = structural_hash(node);
  return &nodes_.emplace_back(std::move(node));
}

const Node* Graph::add(Opcode opcode, std::vector<Type> types, Values operands,
                       Attributes attributes, std::shared_ptr<const Region> region) {
  return append({.opcode = opcode,
                 .types = std::move(types),
                 .operands = std::move(operands),
                 .attributes = std::move(attributes),
                 .region = std::move(region)});
}

Value Graph::add(Opcode opcode, Type type, Values operands, Attributes attributes,
                 std::shared_ptr<const Region> region) {
  std::vector<Type> types;
  types.push_back(std::move(type));
  return {
      add(opcode, std::move(types), std::move(operands), std::move(attributes), std::move(region))};
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

std::shared_ptr<const Region> make_region(
    std::span<const DType> arguments, const std::function<Values(std::span<const Value>)>& body) {
  auto region = std::make_shared<Region>();
  for (size_t i = 0; i < arguments.size(); ++i) {
    region->arguments.push_back(
        region->graph.parameter({arguments[i], {}}, static_cast<int64_t>(i)));
  }
  region->results = body(region->arguments);
  region->hash = region_hash(*region);
  return region;
}

}  // namespace ippatsu::hlo
