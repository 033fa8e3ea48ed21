#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <mutex>

#include "base/error.h"
#include "hlo/builder.h"
#include "hlo/builder_parts.h"

namespace ippatsu::hlo {

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

std::shared_ptr<const Region> reduction_region(std::string_view what, const Values& operands,
                                               const Body& body) {
  std::vector<Type> scalars = types_of(operands, {});
  std::vector<Type> arguments = scalars;
  arguments.insert(arguments.end(), scalars.begin(), scalars.end());
  auto region = make_region(arguments, body);
  check_results(what, *region, scalars);
  return region;
}

// --- contractions, reductions, order
// ----------------------------------------------------------------

Value dot_general(Value lhs, Value rhs, const DotDims& dims) {
  if (lhs.dtype() != rhs.dtype())
    fail("a product wants one element type, got {} and {}", name(lhs.dtype()), name(rhs.dtype()));
  if (dims.lhs_batch.size() != dims.rhs_batch.size() ||
      dims.lhs_contracting.size() != dims.rhs_contracting.size())
    fail("a product wants its dims in pairs, one of each side");
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
  check_initials("reduce", {x}, {initial});
  Type type{x.dtype(), without(x.dims(), dims)};
  return x.graph().add(Opcode::Reduce, std::move(type), {x, initial}, std::move(dims),
                       {combiner_region(combiner, x.dtype())});
}

Values reduce(const Values& operands, const Values& initials, Dims dims, const Body& body) {
  check_operands("reduce", operands);
  check_initials("reduce", operands, initials);
  for (const int64_t dim : dims) check_dim("reduce", dim, operands[0].type());
  const Dims kept = without(operands[0].dims(), dims);
  return results(operands[0].graph().add(Opcode::Reduce, types_of(operands, kept),
                                         chain(operands, initials), std::move(dims),
                                         {reduction_region("reduce", operands, body)}));
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
                {x, positions, worst, no_position}, {dim}, {extremum_region(better, x.dtype())});
  return {{node, 0}, {node, 1}};
}

}  // namespace

Extremum arg_max(Value x, int64_t dim) {
  return extremum(Direction::Gt, x, dim, lowest(x.graph(), {x.dtype(), {}}));
}

Extremum arg_min(Value x, int64_t dim) {
  return extremum(Direction::Lt, x, dim, highest(x.graph(), {x.dtype(), {}}));
}

Values sort(const Values& operands, int64_t dim, const Body& comes_before) {
  check_operands("sort", operands);
  check_dim("sort", dim, operands[0].type());
  std::vector<DType> arguments;
  for (const Value& operand : operands) arguments.insert(arguments.end(), 2, operand.dtype());
  const auto region = make_region(arguments, comes_before);
  check_results("sort", *region, {{DType::Pred, {}}});
  Graph& graph = operands[0].graph();
  return results(graph.add(Opcode::Sort, types_of(operands), operands, {dim}, {region}));
}

Values sort(Value keys, const Values& carried, int64_t dim, bool descending) {
  Values operands = {keys};
  operands.insert(operands.end(), carried.begin(), carried.end());
  return sort(operands, dim, [&](std::span<const Value> args) -> Values {
    const Direction direction = descending ? Direction::Gt : Direction::Lt;
    const Value before = compare(direction, args[0], args[1]);
    if (!is_floating(keys.dtype())) return {before};
    const Value first_nan = is_nan(args[0]), second_nan = is_nan(args[1]);
    return {before | (descending ? first_nan & ~second_nan : second_nan & ~first_nan)};
  });
}

Extremum top_k(Value x, int64_t k) {
  check_dim("top_k", x.rank() - 1, x.type());
  if (is_complex(x.dtype())) fail("complex numbers have no order, got {}", to_string(x.type()));
  Dims dims = x.dims();
  if (k < 0 || k > dims.back())
    fail("top_k of {} wants 0 to {}, not {}", to_string(x.type()), dims.back(), k);
  dims.back() = k;
  const Node* node = x.graph().add(Opcode::TopK, {{x.dtype(), dims}, {DType::I32, dims}}, {x}, {k});
  return {{node, 0}, convert({node, 1}, DType::I64)};
}

// --- loops
// ------------------------------------------------------------------------------------------

Values while_loop(const Values& initial, const Body& condition, const Body& body) {
  if (initial.empty()) fail("while wants at least one value to carry");
  const std::vector<Type> types = types_of(initial);
  const auto test = make_region(types, condition), step = make_region(types, body);
  check_results("while's condition", *test, {{DType::Pred, {}}});
  check_results("while's body", *step, types);
  Graph& graph = initial[0].graph();
  return results(graph.add(Opcode::While, types, initial, {}, {test, step}));
}

Values repeat(int64_t count, const Values& initial,
              const std::function<Values(Value index, std::span<const Value> carried)>& body) {
  if (initial.empty()) fail("repeat wants at least one value to carry");
  Values state = {constant(initial[0].graph(), {DType::I64, {}}, 0)};
  state.insert(state.end(), initial.begin(), initial.end());
  const auto condition = [&](std::span<const Value> args) -> Values {
    return {compare(Direction::Lt, args[0], constant(args[0].graph(), {DType::I64, {}}, count))};
  };
  const auto step = [&](std::span<const Value> args) {
    Values next = body(args[0], args.subspan(1));
    next.insert(next.begin(), args[0] + 1);
    return next;
  };
  Values results = while_loop(state, condition, step);
  results.erase(results.begin());
  return results;
}

}  // namespace ippatsu::hlo
