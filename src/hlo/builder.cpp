#include "hlo/builder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace ippatsu::hlo {

namespace {

Dims ones(int64_t rank) { return Dims(static_cast<size_t>(rank), 1); }
Dims zeros(int64_t rank) { return Dims(static_cast<size_t>(rank), 0); }

// Several lists in one, each with its length in front: see Lists in opcode.cpp.
Attributes join_lists(std::initializer_list<std::span<const int64_t>> lists) {
  Attributes joined;
  for (const auto list : lists) {
    joined.push_back(static_cast<int64_t>(list.size()));
    joined.insert(joined.end(), list.begin(), list.end());
  }
  return joined;
}

bool contains(const Dims& dims, int64_t dim) { return std::ranges::find(dims, dim) != dims.end(); }

void check_dim(std::string_view what, int64_t dim, const Type& type) {
  if (dim < 0 || dim >= type.rank())
    fail("{}: dim {} is out of range for {}", what, dim, to_string(type));
}

void check_same(std::string_view what, Value x, Value y) {
  if (x.type() != y.type()) {
    fail("{} wants operands of one type, got {} and {}", what, to_string(x.type()),
         to_string(y.type()));
  }
}

Dims without(const Dims& dims, const Dims& dropped) {
  Dims kept;
  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i) {
    if (!contains(dropped, i)) kept.push_back(dims[static_cast<size_t>(i)]);
  }
  return kept;
}

Value constant_bits(Graph& graph, Type type, int64_t bits) {
  return graph.add(Opcode::Constant, std::move(type), {}, {bits, 0});
}

// The bodies that reductions and scatters call, made once per combiner and element type.
std::shared_ptr<const Region> combiner_region(Combiner combiner, DType dtype) {
  constexpr std::array kOpcode{Opcode::Add,     Opcode::Add, Opcode::Multiply, Opcode::Maximum,
                               Opcode::Minimum, Opcode::And, Opcode::Or};
  static std::mutex mutex;
  static std::map<std::pair<Combiner, DType>, std::shared_ptr<const Region>> regions;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Region>& region = regions[{combiner, dtype}];
  if (region == nullptr) {
    region = make_region(std::array{dtype, dtype}, [&](std::span<const Value> xy) -> Values {
      if (combiner == Combiner::Replace) return {xy[1]};
      return {binary(kOpcode[static_cast<size_t>(combiner)], xy[0], xy[1])};
    });
  }
  return region;
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

Value fill_like(Value like, double value) { return constant(like.graph(), like.type(), value); }

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

}  // namespace

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
bool is_continuous(DType dtype) { return is_floating(dtype) || is_complex(dtype); }

// The element types that an elementwise operation is defined on.
using Domain = bool (*)(DType);

Domain domain(Opcode opcode) {
  switch (opcode) {
    case Opcode::Add:
    case Opcode::Multiply:
    case Opcode::Real:
    case Opcode::Imag:
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
    case Opcode::Cbrt:
    case Opcode::Ceil:
    case Opcode::Complex:
    case Opcode::Digamma:
    case Opcode::Erf:
    case Opcode::ErfInv:
    case Opcode::Erfc:
    case Opcode::Floor:
    case Opcode::IsFinite:
    case Opcode::Lgamma:
    case Opcode::NextAfter:
    case Opcode::RoundNearestAfz:
    case Opcode::RoundNearestEven:
      return is_floating;
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
  if (byte_width(x.dtype()) != byte_width(dtype)) {
    fail("bitcast_convert wants types of one width, got {} and {}", name(x.dtype()), name(dtype));
  }
  return x.graph().add(Opcode::BitcastConvert, {dtype, x.dims()}, {x});
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
                       combiner_region(combiner, x.dtype()));
}

// --- contractions, reductions, order
// ----------------------------------------------------------------

Value dot_general(Value lhs, Value rhs, const DotDims& dims) {
  if (lhs.dtype() != rhs.dtype())
    fail("a product wants one element type, got {} and {}", name(lhs.dtype()), name(rhs.dtype()));
  Dims result;
  for (size_t i = 0; i < dims.lhs_batch.size(); ++i) {
    if (lhs.dim(dims.lhs_batch[i]) != rhs.dim(dims.rhs_batch[i])) {
      fail("batch dims differ: {} and {}", to_string(lhs.type()), to_string(rhs.type()));
    }
    result.push_back(lhs.dim(dims.lhs_batch[i]));
  }
  for (size_t i = 0; i < dims.lhs_contracting.size(); ++i) {
    if (lhs.dim(dims.lhs_contracting[i]) != rhs.dim(dims.rhs_contracting[i])) {
      fail("{} and {} cannot be multiplied: {} against {}", to_string(lhs.type()),
           to_string(rhs.type()), lhs.dim(dims.lhs_contracting[i]),
           rhs.dim(dims.rhs_contracting[i]));
    }
  }
  for (int64_t i = 0; i < lhs.rank(); ++i) {
    if (!contains(dims.lhs_batch, i) && !contains(dims.lhs_contracting, i))
      result.push_back(lhs.dim(i));
  }
  for (int64_t i = 0; i < rhs.rank(); ++i) {
    if (!contains(dims.rhs_batch, i) && !contains(dims.rhs_contracting, i))
      result.push_back(rhs.dim(i));
  }
  return lhs.graph().add(
      Opcode::DotGeneral, {lhs.dtype(), std::move(result)}, {lhs, rhs},
      join_lists({dims.lhs_batch, dims.rhs_batch, dims.lhs_contracting, dims.rhs_contracting}));
}

Value reduce(Combiner combiner, Value x, Value initial, Dims dims) {
  if (dims.empty()) return x;
  for (const int64_t dim : dims) check_dim("reduce", dim, x.type());
  Type type{x.dtype(), without(x.dims(), dims)};
  return x.graph().add(Opcode::Reduce, std::move(type), {x, initial}, std::move(dims),
                       combiner_region(combiner, x.dtype()));
}

Value reduce_sum(Value x, Dims dims) {
  return reduce(Combiner::Add, x, constant(x.graph(), {x.dtype(), {}}, 0), std::move(dims));
}

namespace {

// XLA's CPU compiler lets a number beat a NaN, against the specification: NaN is looked for apart.
Value nan_wins(Value x, Value extremum, Dims dims) {
  if (!is_floating(x.dtype()) || dims.empty()) return extremum;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return select(reduce_or(is_nan(x), std::move(dims)), fill_like(extremum, nan), extremum);
}

}  // namespace

Value reduce_max(Value x, Dims dims) {
  const Value greatest = reduce(Combiner::Maximum, x, lowest(x.graph(), {x.dtype(), {}}), dims);
  return nan_wins(x, greatest, std::move(dims));
}

Value reduce_min(Value x, Dims dims) {
  const Value least = reduce(Combiner::Minimum, x, highest(x.graph(), {x.dtype(), {}}), dims);
  return nan_wins(x, least, std::move(dims));
}

Value reduce_and(Value x, Dims dims) {
  return reduce(Combiner::And, x, constant(x.graph(), {x.dtype(), {}}, 1), std::move(dims));
}

Value reduce_or(Value x, Dims dims) {
  return reduce(Combiner::Or, x, constant(x.graph(), {x.dtype(), {}}, 0), std::move(dims));
}

namespace {

// Reduces (value, index) pairs: the better value wins, a NaN is better than any number, and of
// equals the one with the smaller index.
std::shared_ptr<const Region> extremum_region(Direction better, DType dtype) {
  return make_region(std::array{dtype, DType::I64, dtype, DType::I64},
                     [&](std::span<const Value> args) -> Values {
                       const Value x = args[0], i = args[1], y = args[2], j = args[3];
                       Value x_wins = compare(better, x, y);
                       Value tie = compare(Direction::Eq, x, y);
                       if (is_floating(dtype)) {
                         x_wins = x_wins | (is_nan(x) & ~is_nan(y));
                         tie = tie | (is_nan(x) & is_nan(y));
                       }
                       const Value keep_x = x_wins | (tie & compare(Direction::Lt, i, j));
                       return {select(keep_x, x, y), select(keep_x, i, j)};
                     });
}

Extremum extremum(Direction better, Value x, int64_t dim, Value worst) {
  check_dim("argmax", dim, x.type());
  Graph& graph = x.graph();
  const Value positions = iota(graph, {DType::I64, x.dims()}, dim);
  const Value no_position = constant(graph, {DType::I64, {}}, std::numeric_limits<int64_t>::max());
  const Dims dims = without(x.dims(), {dim});
  const Node* node =
      graph.add(Opcode::Reduce, {{x.dtype(), dims}, {DType::I64, dims}},
                {x, positions, worst, no_position}, {dim}, extremum_region(better, x.dtype()));
  return {{node, 0}, {node, 1}};
}

}  // namespace

Extremum arg_max(Value x, int64_t dim) {
  return extremum(Direction::Gt, x, dim, lowest(x.graph(), {x.dtype(), {}}));
}

Extremum arg_min(Value x, int64_t dim) {
  return extremum(Direction::Lt, x, dim, highest(x.graph(), {x.dtype(), {}}));
}

Values sort(Value keys, const Values& carried, int64_t dim, bool descending) {
  check_dim("sort", dim, keys.type());
  Values operands = {keys};
  operands.insert(operands.end(), carried.begin(), carried.end());
  std::vector<Type> types;
  std::vector<DType> arguments;
  for (const Value& operand : operands) {
    types.push_back(operand.type());
    arguments.insert(arguments.end(), 2, operand.dtype());
  }
  const auto region = make_region(arguments, [&](std::span<const Value> args) -> Values {
    const Direction direction = descending ? Direction::Gt : Direction::Lt;
    const Value before = compare(direction, args[0], args[1]);
    if (!is_floating(keys.dtype())) return {before};
    const Value first_nan = is_nan(args[0]), second_nan = is_nan(args[1]);
    return {before | (descending ? first_nan & ~second_nan : second_nan & ~first_nan)};
  });
  const Node* node =
      keys.graph().add(Opcode::Sort, std::move(types), std::move(operands), {dim}, region);
  Values results;
  for (int i = 0; i <= static_cast<int>(carried.size()); ++i) results.push_back({node, i});
  return results;
}

// --- random
// -----------------------------------------------------------------------------------------

Value random_bits(Value state, Type type) {
  return {state.graph().add(Opcode::RngBitGenerator, {state.type(), std::move(type)}, {state}, {},
                            nullptr),
          1};
}

}  // namespace ippatsu::hlo
