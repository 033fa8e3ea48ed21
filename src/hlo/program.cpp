#include "hlo/program.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "hlo/hash.h"

namespace ippatsu::hlo {

namespace {

using Text = fmt::memory_buffer;

template <typename... Args>
void emit(Text& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

template <typename Range, typename Write>
void write_list(Text& out, const Range& range, Write write_one) {
  const char* separator = "";
  for (const auto& item : range) {
    emit(out, "{}", std::exchange(separator, ", "));
    write_one(item);
  }
}

void write_types(Text& out, std::span<const Type> types) {
  emit(out, "(");
  write_list(out, types, [&](const Type& type) { emit(out, "{}", mlir(type)); });
  emit(out, ")");
}

void write_value_types(Text& out, std::span<const Value> values) {
  emit(out, "(");
  write_list(out, values, [&](const Value& value) { emit(out, "{}", mlir(value.type())); });
  emit(out, ")");
}

// Writes operations; `prefix` keeps the names of a region's values apart from those around it.
class OperationWriter {
 public:
  OperationWriter(Text& out, std::string prefix) : out_(out), prefix_(std::move(prefix)) {}

  void value(const Value& value) {
    emit(out_, "%{}{}", prefix_, value.node->number);
    if (value.node->types.size() > 1) emit(out_, "#{}", value.result);
  }

  void operation(const Node& node) {
    emit(out_, "    %{}{}", prefix_, node.number);
    if (node.types.size() > 1) emit(out_, ":{}", node.types.size());
    emit(out_, " = \"{}\"(", name(node.opcode));
    write_list(out_, node.operands, [&](const Value& operand) { value(operand); });
    emit(out_, ")");
    if (!node.regions.empty()) regions(node.regions);
    if (const std::string attributes = attribute_text(node); !attributes.empty())
      emit(out_, " {{{}}}", attributes);
    emit(out_, " : ");
    write_value_types(out_, node.operands);
    emit(out_, " -> ");
    write_types(out_, node.types);
    if (*node.scope != '\0') emit(out_, " loc(\"{}\")", node.scope);
    emit(out_, "\n");
  }

  void give_back(std::string_view terminator, std::span<const Value> results) {
    emit(out_, "    \"{}\"(", terminator);
    write_list(out_, results, [&](const Value& result) { value(result); });
    emit(out_, ") : ");
    write_value_types(out_, results);
    emit(out_, " -> ()\n");
  }

 private:
  void regions(const Regions& regions) {
    emit(out_, " (");
    write_list(out_, regions, [&](const auto& one) { region(*one); });
    emit(out_, ")");
  }

  void region(const Region& region) {
    OperationWriter inner(out_, prefix_ + "r");
    emit(out_, "{{\n  ^bb0(");
    write_list(out_, region.arguments, [&](const Value& argument) {
      inner.value(argument);
      emit(out_, ": {}", mlir(argument.type()));
    });
    emit(out_, "):\n");
    for (const Node& node : region.graph.nodes()) {
      if (node.opcode != Opcode::Parameter) inner.operation(node);
    }
    inner.give_back("stablehlo.return", region.results);
    emit(out_, "  }}");
  }

  Text& out_;
  std::string prefix_;
};

// Takes scalar `index` out of its pack: "%N = %scalars_f32[index]".
void write_unpacking(Text& out, const ScalarPack& pack, size_t index) {
  const std::string packed = mlir(pack.type());
  const std::string_view dtype = name(pack.dtype);
  const int32_t number = pack.scalars[index]->number;
  emit(out,
       "    %s{} = \"stablehlo.slice\"(%{}s) {{start_indices = array<i64: {}>, limit_indices = "
       "array<i64: {}>, "
       "strides = array<i64: 1>}} : ({}) -> tensor<1x{}>\n",
       number, dtype, index, index + 1, packed, dtype);
  emit(out, "    %{} = \"stablehlo.reshape\"(%s{}) : (tensor<1x{}>) -> tensor<{}>\n", number,
       number, dtype, dtype);
}

template <typename T>
void append(std::vector<std::byte>& bytes, T value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

void append_scalar(std::vector<std::byte>& bytes, DType dtype, const HostScalar& scalar) {
  switch (dtype) {
    case DType::Pred:
      return append(bytes, static_cast<uint8_t>(scalar.integer != 0));
    case DType::I8:
    case DType::U8:
      return append(bytes, static_cast<int8_t>(scalar.integer));
    case DType::I16:
    case DType::U16:
      return append(bytes, static_cast<int16_t>(scalar.integer));
    case DType::I32:
    case DType::U32:
      return append(bytes, static_cast<int32_t>(scalar.integer));
    case DType::I64:
    case DType::U64:
      return append(bytes, scalar.integer);
    case DType::F32:
      return append(bytes, static_cast<float>(scalar.floating));
    case DType::F64:
      return append(bytes, scalar.floating);
    default:
      fail("a scalar of type {} has no packed form; make it in f32 and convert it", name(dtype));
  }
}

constexpr int32_t kUnneeded = -1;
constexpr int32_t kNeeded = -2;  // and not yet numbered

void mark(const std::deque<Node>& nodes, std::span<const Value> roots) {
  for (const Node& node : nodes) node.number = kUnneeded;
  for (const Value& root : roots) root.node->number = kNeeded;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (node->number == kUnneeded) continue;
    for (const Value& operand : node->operands) operand.node->number = kNeeded;
  }
}

}  // namespace

void Fingerprint::extend(uint64_t word) {
  low = mix(low, word);
  high = mix(high, word, 0x8ebc6af09c88c6e3);
}

std::vector<std::byte> ScalarPack::bytes() const {
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<size_t>(type().bytes()));
  for (const Node* scalar : scalars) append_scalar(bytes, dtype, scalar->scalar);
  return bytes;
}

int64_t Program::constant_bytes() const {
  int64_t bytes = 0;
  for (const Node* node : operations_) {
    if (node->opcode == Opcode::ConstantList) bytes += node->types[0].bytes();
  }
  return bytes;
}

std::string Program::largest_constant_scope() const {
  const Node* largest = nullptr;
  for (const Node* node : operations_) {
    if (node->opcode != Opcode::ConstantList) continue;
    if (largest == nullptr || node->types[0].bytes() > largest->types[0].bytes()) largest = node;
  }
  return largest == nullptr ? "" : largest->scope;
}

Program::Program(Values roots) : roots_(std::move(roots)), fingerprint_{kHashSeed, ~kHashSeed} {
  if (roots_.empty()) return;
  const std::deque<Node>& nodes = roots_[0].graph().nodes();
  mark(nodes, roots_);
  std::vector<ScalarPack> packs;
  for (int i = 0; i < kDTypes; ++i) packs.push_back({static_cast<DType>(i), {}});
  int32_t next = 0;
  for (const Node& node : nodes) {
    if (node.number == kUnneeded) continue;
    node.number = next++;
    fingerprint_.extend(node.hash);
    for (const Value& operand : node.operands) {
      fingerprint_.extend(static_cast<uint64_t>(operand.node->number) << 8 |
                          static_cast<uint64_t>(operand.result));
    }
    if (node.opcode == Opcode::Parameter) {
      parameters_.push_back(&node);
    } else if (node.opcode == Opcode::Scalar) {
      packs[static_cast<size_t>(node.types[0].dtype)].scalars.push_back(&node);
    } else {
      operations_.push_back(&node);
    }
  }
  for (const Value& root : roots_) {
    fingerprint_.extend(static_cast<uint64_t>(root.node->number) << 8 |
                        static_cast<uint64_t>(root.result));
  }
  std::ranges::copy_if(packs, std::back_inserter(scalar_packs_),
                       [](const auto& pack) { return !pack.scalars.empty(); });
}

std::string Program::text(std::span<const int> aliased_output) const {
  Text out;
  OperationWriter writer(out, "");
  emit(out, "module @ippatsu {{\n  func.func public @main(");
  const char* separator = "";
  for (size_t i = 0; i < parameters_.size(); ++i) {
    emit(out, "{}%{}: {}", std::exchange(separator, ", "), parameters_[i]->number,
         mlir(parameters_[i]->types[0]));
    if (i < aliased_output.size() && aliased_output[i] >= 0) {
      emit(out, " {{tf.aliasing_output = {} : i32}}", aliased_output[i]);
    }
  }
  for (const ScalarPack& pack : scalar_packs_) {
    emit(out, "{}%{}s: {}", std::exchange(separator, ", "), name(pack.dtype), mlir(pack.type()));
  }
  emit(out, ") -> ");
  write_value_types(out, roots_);
  emit(out, " {{\n");
  for (const ScalarPack& pack : scalar_packs_) {
    for (size_t i = 0; i < pack.scalars.size(); ++i) write_unpacking(out, pack, i);
  }
  for (const Node* operation : operations_) writer.operation(*operation);
  writer.give_back("func.return", roots_);
  emit(out, "  }}\n}}\n");
  return fmt::to_string(out);
}

}  // namespace ippatsu::hlo
