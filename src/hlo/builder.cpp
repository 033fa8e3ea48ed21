#include "hlo/builder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "hlo/builder_parts.h"

namespace ippatsu::hlo {

namespace {

Value constant_bits(Graph& graph, Type type, int64_t bits) {
  return graph.add(Opcode::Constant, std::move(type), {}, {bits, 0});
}

}  // namespace

// --- values from nothing
// --------------------------------------------------------------------------

Value constant(Graph& graph, Type type, double value) {
  const DType part = real_part(type.dtype);
  const bool floating = is_floating(part);
  return constant_bits(graph, std::move(type),
                       floating ? std::bit_cast<int64_t>(value) : static_cast<int64_t>(value));
}

Value constant(Graph& graph, Type type, int64_t value) {
  if (is_floating(real_part(type.dtype)))
    return constant(graph, std::move(type), static_cast<double>(value));
  return constant_bits(graph, std::move(type), value);
}

Value constant(Graph& graph, Type type, int value) {
  return constant(graph, std::move(type), int64_t{value});
}

namespace {

template <typename T>
std::pair<int64_t, int64_t> integer_limits() {
  return {static_cast<int64_t>(std::numeric_limits<T>::min()),
          static_cast<int64_t>(std::numeric_limits<T>::max())};
}

std::pair<int64_t, int64_t> integer_limits(DType dtype) {
  switch (dtype) {
    case DType::Pred:
      return {0, 1};
    case DType::I8:
      return integer_limits<int8_t>();
    case DType::I16:
      return integer_limits<int16_t>();
    case DType::I32:
      return integer_limits<int32_t>();
    case DType::I64:
      return integer_limits<int64_t>();
    case DType::U8:
      return integer_limits<uint8_t>();
    case DType::U16:
      return integer_limits<uint16_t>();
    case DType::U32:
      return integer_limits<uint32_t>();
    case DType::U64:
      return integer_limits<uint64_t>();
    default:
      fail("{} has no order", name(dtype));
  }
}

// The bits of a number as Constant and ConstantList hold them.
int64_t exact_bits(DType dtype, double value) {
  if (is_floating(dtype)) return std::bit_cast<int64_t>(value);
  if (std::trunc(value) != value || std::abs(value) >= 0x1p63)
    fail("a list of {} cannot hold {}", name(dtype), value);
  return static_cast<int64_t>(value);
}

int64_t exact_bits(DType dtype, int64_t value) {
  if (is_floating(dtype)) return std::bit_cast<int64_t>(static_cast<double>(value));
  const auto [least, greatest] = integer_limits(dtype);
  const bool fits = dtype == DType::U64 ? value >= 0 : least <= value && value <= greatest;
  if (!fits) fail("a list of {} cannot hold {}", name(dtype), value);
  return value;
}

template <typename Number>
Value constant_list(Graph& graph, Type type, std::span<const Number> values) {
  constexpr size_t kMostElements = 4096;
  if (is_complex(type.dtype)) fail("a list holds real numbers, not {}", name(type.dtype));
  if (values.size() > kMostElements)
    fail("a list holds at most {} numbers, not {}", kMostElements, values.size());
  if (static_cast<int64_t>(values.size()) != type.elements())
    fail("{} numbers do not fill {}", values.size(), to_string(type));
  if (values.empty()) return constant(graph, std::move(type), 0);
  Attributes bits;
  for (const Number value : values) {
    bits.push_back(exact_bits(type.dtype, value));
    if (!is_floating(type.dtype)) exact_bits(type.dtype, bits.back());
  }
  const auto count = static_cast<int64_t>(values.size());
  return reshape(graph.add(Opcode::ConstantList, {type.dtype, {count}}, {}, std::move(bits)),
                 type.dims);
}

}  // namespace

Value constant_list(Graph& graph, Type type, std::span<const double> values) {
  return constant_list<double>(graph, std::move(type), values);
}

Value constant_list(Graph& graph, Type type, std::span<const int64_t> values) {
  return constant_list<int64_t>(graph, std::move(type), values);
}

Value fill_like(Value like, double value) { return constant(like.graph(), like.type(), value); }

Value lowest(Graph& graph, Type type) {
  if (is_floating(type.dtype))
    return constant(graph, std::move(type), -std::numeric_limits<double>::infinity());
  const int64_t least = integer_limits(type.dtype).first;
  return constant(graph, std::move(type), least);
}

Value highest(Graph& graph, Type type) {
  if (is_floating(type.dtype))
    return constant(graph, std::move(type), std::numeric_limits<double>::infinity());
  const int64_t greatest = integer_limits(type.dtype).second;
  return constant(graph, std::move(type), greatest);
}

Value iota(Graph& graph, Type type, int64_t dim) {
  check_dim("iota", dim, type);
  return graph.add(Opcode::Iota, std::move(type), {}, {dim});
}

// --- elementwise
// ------------------------------------------------------------------------------------

namespace {

bool is_any(DType) { return true; }
bool is_bits(DType dtype) { return is_integer(dtype) || dtype == DType::Pred; }
bool is_number(DType dtype) { return dtype != DType::Pred; }
bool is_ordered(DType dtype) { return !is_complex(dtype); }
bool has_complex_form(DType dtype) { return dtype == DType::F32 || dtype == DType::F64; }
bool is_continuous(DType dtype) { return is_floating(dtype) || is_complex(dtype); }

// The element types that an elementwise operation is defined on.
using Domain = bool (*)(DType);

Domain domain(Opcode opcode) {
  switch (opcode) {
    case Opcode::Add:
    case Opcode::Multiply:
      return is_any;
    case Opcode::And:
    case Opcode::Not:
    case Opcode::Or:
    case Opcode::Xor:
      return is_bits;
    case Opcode::CountLeadingZeros:
    case Opcode::PopulationCount:
    case Opcode::ShiftLeft:
    case Opcode::ShiftRightArithmetic:
    case Opcode::ShiftRightLogical:
      return is_integer;
    case Opcode::Maximum:
    case Opcode::Minimum:
      return is_ordered;
    case Opcode::Abs:
    case Opcode::Divide:
    case Opcode::Negate:
    case Opcode::Power:
    case Opcode::Remainder:
    case Opcode::Sign:
    case Opcode::Subtract:
      return is_number;
    case Opcode::Atan2:
    case Opcode::BesselI1e:
    case Opcode::Cbrt:
    case Opcode::Ceil:
    case Opcode::Digamma:
    case Opcode::Erf:
    case Opcode::ErfInv:
    case Opcode::Erfc:
    case Opcode::Floor:
    case Opcode::IsFinite:
    case Opcode::Lgamma:
    case Opcode::NextAfter:
    case Opcode::Polygamma:
    case Opcode::RoundNearestAfz:
    case Opcode::RoundNearestEven:
    case Opcode::Zeta:
      return is_floating;
    case Opcode::Complex:
      return has_complex_form;
    default:
      return is_continuous;
  }
}

void check_domain(Opcode opcode, const Type& type) {
  if (!domain(opcode)(type.dtype)) fail("{} is not defined on {}", name(opcode), to_string(type));
}

}  // namespace

Value unary(Opcode opcode, Value x) {
  check_domain(opcode, x.type());
  Type type = x.type();
  if (opcode == Opcode::IsFinite) type.dtype = DType::Pred;
  if (opcode == Opcode::Abs || opcode == Opcode::Real || opcode == Opcode::Imag)
    type.dtype = real_part(type.dtype);
  return x.graph().add(opcode, std::move(type), {x});
}

Value binary(Opcode opcode, Value x, Value y) {
  check_same(name(opcode), x, y);
  check_domain(opcode, x.type());
  Type type = x.type();
  if (opcode == Opcode::Complex) type.dtype = type.dtype == DType::F64 ? DType::C128 : DType::C64;
  return x.graph().add(opcode, std::move(type), {x, y});
}

Value compare(Direction direction, Value x, Value y, Order order) {
  check_same("compare", x, y);
  if (is_complex(x.dtype()) && direction != Direction::Eq && direction != Direction::Ne)
    fail("complex numbers have no order, got {}", to_string(x.type()));
  return x.graph().add(Opcode::Compare, {DType::Pred, x.dims()}, {x, y},
                       {static_cast<int64_t>(direction), static_cast<int64_t>(order)});
}

Value select(Value predicate, Value on_true, Value on_false) {
  check_same("select", on_true, on_false);
  if (predicate.type() != Type{DType::Pred, on_true.dims()}) {
    fail("select wants a predicate i1[...] shaped like its operands, got {} for {}",
         to_string(predicate.type()), to_string(on_true.type()));
  }
  return on_true.graph().add(Opcode::Select, on_true.type(), {predicate, on_true, on_false});
}

Value convert(Value x, DType dtype) {
  if (x.dtype() == dtype) return x;
  if (dtype == DType::Pred) return compare(Direction::Ne, x, fill_like(x, 0));
  if (is_complex(x.dtype()) && !is_complex(dtype)) x = unary(Opcode::Real, x);
  return x.graph().add(Opcode::Convert, {dtype, x.dims()}, {x});
}

Value bitcast_convert(Value x, DType dtype) {
  if (x.dtype() == dtype) return x;
  const int64_t width = byte_width(x.dtype()), wanted = byte_width(dtype);
  Dims dims = x.dims();
  if (wanted < width) dims.push_back(width / wanted);
  if (wanted > width) {
    if (dims.empty() || dims.back() != wanted / width) {
      fail("bitcast_convert of {} to {} wants a last dim of {}", to_string(x.type()), name(dtype),
           wanted / width);
    }
    dims.pop_back();
  }
  return x.graph().add(Opcode::BitcastConvert, {dtype, std::move(dims)}, {x});
}

// --- shape and place
// --------------------------------------------------------------------------------

Value broadcast_in_dim(Value x, Dims dims, Dims placement) {
  if (static_cast<int64_t>(placement.size()) != x.rank()) {
    fail("broadcast_in_dim wants a place for each of {} dims, got {}", x.rank(), placement.size());
  }
  for (int64_t i = 0; i < x.rank(); ++i) {
    const int64_t target = dims.at(static_cast<size_t>(placement[static_cast<size_t>(i)]));
    if (x.dim(i) != target && x.dim(i) != 1) {
      fail("broadcast_in_dim: dim {} of {} cannot become {}", i, to_string(x.type()), target);
    }
  }
  return x.graph().add(Opcode::Broadcast, {x.dtype(), std::move(dims)}, {x}, std::move(placement));
}

Value broadcast_to(Value x, const Dims& dims) {
  if (x.dims() == dims) return x;
  const int64_t added = static_cast<int64_t>(dims.size()) - x.rank();
  if (added < 0 || broadcast_dims(x.dims(), dims) != dims) {
    fail("{} cannot be broadcast to [{}]", to_string(x.type()), fmt::join(dims, ","));
  }
  Dims placement(static_cast<size_t>(x.rank()));
  std::iota(placement.begin(), placement.end(), added);
  return broadcast_in_dim(x, dims, std::move(placement));
}

Dims broadcast_dims(const Dims& x, const Dims& y) {
  if (x.size() < y.size()) return broadcast_dims(y, x);
  Dims dims = x;
  const size_t added = x.size() - y.size();
  for (size_t i = 0; i < y.size(); ++i) {
    int64_t& dim = dims[added + i];
    if (dim != y[i] && dim != 1 && y[i] != 1) {
      fail("shapes [{}] and [{}] do not broadcast: {} against {}", fmt::join(x, ","),
           fmt::join(y, ","), dim, y[i]);
    }
    if (dim == 1) dim = y[i];
  }
  return dims;
}

Value reshape(Value x, Dims dims) {
  if (x.dims() == dims) return x;
  if (element_count(dims) != x.type().elements()) {
    fail("{} cannot be reshaped to [{}]", to_string(x.type()), fmt::join(dims, ","));
  }
  return x.graph().add(Opcode::Reshape, {x.dtype(), std::move(dims)}, {x});
}

Value transpose(Value x, Dims permutation) {
  check_count("transpose", "dims", permutation, x.rank());
  if (std::ranges::is_sorted(permutation)) return x;
  Dims dims;
  for (const int64_t dim : permutation) dims.push_back(x.dim(dim));
  return x.graph().add(Opcode::Transpose, {x.dtype(), std::move(dims)}, {x},
                       std::move(permutation));
}

Value reverse(Value x, Dims dims) {
  for (const int64_t dim : dims) check_dim("reverse", dim, x.type());
  return x.graph().add(Opcode::Reverse, x.type(), {x}, std::move(dims));
}

Value slice(Value x, Dims starts, Dims limits, Dims strides) {
  if (strides.empty()) strides = ones(x.rank());
  for (const Dims* list : {&starts, &limits, &strides})
    check_count("slice", "bounds", *list, x.rank());
  Dims dims;
  for (size_t i = 0; i < starts.size(); ++i) {
    const int64_t extent = x.dims().at(i);
    if (starts[i] < 0 || limits[i] < starts[i] || limits[i] > extent || strides[i] < 1) {
      fail("slice [{}:{}:{}] does not fit dim {} of {}", starts[i], limits[i], strides[i], i,
           to_string(x.type()));
    }
    dims.push_back((limits[i] - starts[i] + strides[i] - 1) / strides[i]);
  }
  if (dims == x.dims()) return x;
  return x.graph().add(Opcode::Slice, {x.dtype(), std::move(dims)}, {x},
                       join_lists({starts, limits, strides}));
}

Value slice_dim(Value x, int64_t dim, int64_t start, int64_t limit, int64_t stride) {
  check_dim("slice", dim, x.type());
  Dims starts = zeros(x.rank()), limits = x.dims(), strides = ones(x.rank());
  starts[static_cast<size_t>(dim)] = start;
  limits[static_cast<size_t>(dim)] = limit;
  strides[static_cast<size_t>(dim)] = stride;
  return slice(x, std::move(starts), std::move(limits), std::move(strides));
}

Value pad(Value x, Value filling, Dims low, Dims high, Dims interior) {
  if (interior.empty()) interior = zeros(x.rank());
  for (const Dims* list : {&low, &high, &interior}) check_count("pad", "amounts", *list, x.rank());
  Dims dims;
  for (size_t i = 0; i < low.size(); ++i) {
    const int64_t extent = x.dims().at(i);
    dims.push_back(low[i] + extent + high[i] + interior[i] * std::max<int64_t>(extent - 1, 0));
    if (dims.back() < 0)
      fail("pad by {} and {} leaves nothing of dim {} of {}", low[i], high[i], i,
           to_string(x.type()));
  }
  if (dims == x.dims() && std::ranges::all_of(low, [](int64_t amount) { return amount == 0; }))
    return x;
  return x.graph().add(Opcode::Pad, {x.dtype(), std::move(dims)}, {x, filling},
                       join_lists({low, high, interior}));
}

Value concatenate(Values parts, int64_t dim) {
  if (parts.size() == 1) return parts[0];
  Type type = parts.at(0).type();
  check_dim("concatenate", dim, type);
  int64_t& extent = type.dims[static_cast<size_t>(dim)];
  extent = 0;
  for (const Value& part : parts) {
    if (part.dtype() != type.dtype ||
        without(part.dims(), {dim}) != without(parts[0].dims(), {dim})) {
      fail("concatenate along dim {} wants parts that agree elsewhere, got {} and {}", dim,
           to_string(parts[0].type()), to_string(part.type()));
    }
    extent += part.dim(dim);
  }
  Graph& graph = parts[0].graph();
  return graph.add(Opcode::Concatenate, std::move(type), std::move(parts), {dim});
}

Value dynamic_slice(Value x, Values starts, Dims sizes) {
  starts.insert(starts.begin(), x);
  Type type{x.dtype(), sizes};
  return x.graph().add(Opcode::DynamicSlice, std::move(type), std::move(starts), std::move(sizes));
}

Value dynamic_update_slice(Value x, Value update, Values starts) {
  if (update.dtype() != x.dtype() || update.rank() != x.rank()) {
    fail("dynamic_update_slice wants an update of {}'s element type and rank, got {}",
         to_string(x.type()), to_string(update.type()));
  }
  starts.insert(starts.begin(), {x, update});
  return x.graph().add(Opcode::DynamicUpdateSlice, x.type(), std::move(starts));
}

Value gather(Value x, Value indices, const GatherDims& dims, Dims result_dims) {
  return x.graph().add(Opcode::Gather, {x.dtype(), std::move(result_dims)}, {x, indices},
                       join_lists({dims.offset, dims.collapsed, dims.map, dims.sizes}));
}

Value scatter(Value x, Value indices, Value updates, const ScatterDims& dims, Combiner combiner) {
  return x.graph().add(Opcode::Scatter, x.type(), {x, indices, updates},
                       join_lists({dims.window, dims.inserted, dims.map}),
                       {combiner_region(combiner, x.dtype())});
}

// --- random
// -----------------------------------------------------------------------------------------

Value random_bits(Value state, Type type) {
  return {state.graph().add(Opcode::RngBitGenerator, {state.type(), std::move(type)}, {state}), 1};
}

}  // namespace ippatsu::hlo
