// Operators that choose elements by index.

#include "ops/indexing.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "ops/slices.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// The full index vectors [*shape, rank] of a gather along `dim`: each place's own position, with
// the component `dim` taken from `index`.
Value index_vectors(Value index, int64_t dim) {
  Dims column = index.dims();
  column.push_back(1);
  Values components;
  for (int64_t i = 0; i < index.rank(); ++i) {
    const Value component = i == dim ? index : hlo::iota(index.graph(), index.type(), i);
    components.push_back(hlo::reshape(component, column));
  }
  return hlo::concatenate(components, index.rank());
}

}  // namespace

Value gather_along(Value x, Value index, int64_t dim) {
  if (index.type().elements() == 0) return hlo::constant(x.graph(), {x.dtype(), index.dims()}, 0);
  const Dims every = all_dims(x);
  const hlo::GatherDims dims{
      .offset = {}, .collapsed = every, .map = every, .sizes = Dims(every.size(), 1)};
  return hlo::gather(x, index_vectors(index, dim), dims, index.dims());
}

namespace {

Results index_select(Lowering& l) {
  const Value x = l.tensor("self"), index = l.tensor("index", DType::I64);
  if (index.rank() > 1) fail("an index is of rank 1 at most, got {}", to_string(index.type()));
  const Value positions = hlo::reshape(index, {index.type().elements()});
  if (x.rank() == 0) return x;
  return take_slices(x, positions, l.dim("dim", x.rank()));
}

// ATen's conditions on the index of a gather or scatter along `dim`: no larger than the indexed
// tensor elsewhere, and (`limit_dim`) not even along `dim`.
void check_index(Value index, Value indexed, int64_t dim, bool limit_dim = false) {
  if (index.type().elements() == 0) return;
  bool fits = index.rank() == indexed.rank();
  for (int64_t i = 0; fits && i < index.rank(); ++i)
    fits = index.dim(i) <= indexed.dim(i) || (i == dim && !limit_dim);
  if (!fits) {
    fail("an index {} along dim {} does not fit {}", to_string(index.type()), dim,
         to_string(indexed.type()));
  }
}

Value index_of(Lowering& l) {
  const Value index = l.tensor("index");
  if (!hlo::is_integer(index.dtype()))
    fail("an index is of int64 or int32, got {}", to_string(index.type()));
  return hlo::convert(index, DType::I64);
}

Results gather(Lowering& l) {
  const Value self = l.tensor("self"), given = index_of(l);
  const int64_t dim = l.dim("dim", self.rank());
  const Value x = at_least_1d(self), index = at_least_1d(given);
  check_index(index, x, dim);
  return hlo::reshape(gather_along(x, index, dim), given.dims());
}

Value scattered(Lowering& l, Value self, Value updates, hlo::Combiner combiner) {
  const Value x = at_least_1d(self), index = at_least_1d(index_of(l)),
              source = at_least_1d(updates);
  const int64_t dim = l.dim("dim", self.rank());
  if (index.type().elements() == 0) return self;
  check_index(index, x, dim);
  check_index(index, source, dim, /*limit_dim=*/true);
  const Dims every = all_dims(x);
  const Value used = hlo::slice(source, Dims(every.size(), 0), index.dims());
  const Value result = hlo::scatter(x, index_vectors(index, dim), used,
                                    {.window = {}, .inserted = every, .map = every}, combiner);
  return hlo::reshape(result, self.dims());
}

Value source_like(Lowering& l, Value x, std::string_view name) {
  const Value source = l.tensor(name);
  if (source.dtype() != x.dtype()) {
    fail("{} must have the dtype of self, {}, got {}", name, hlo::name(x.dtype()),
         hlo::name(source.dtype()));
  }
  return source;
}

// Addition; of bools, or.
hlo::Combiner adding(Value x) {
  return x.dtype() == DType::Pred ? hlo::Combiner::Or : hlo::Combiner::Add;
}

Results scatter_src(Lowering& l) {
  const Value x = l.tensor("self");
  return scattered(l, x, source_like(l, x, "src"), hlo::Combiner::Replace);
}

Results scatter_value(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims shape = l.tensor("index").dims();
  return scattered(l, x, hlo::broadcast_to(l.scalar("value", x.dtype()), shape),
                   hlo::Combiner::Replace);
}

Results scatter_add(Lowering& l) {
  const Value x = l.tensor("self");
  return scattered(l, x, source_like(l, x, "src"), adding(x));
}

// --- scatters that combine: what each reduction does with two elements, and what it starts from

struct Folding {
  std::string_view name;
  hlo::Combiner combiner;
  Value (*start)(hlo::Graph&, hlo::Type);
};

Value zeros(hlo::Graph& graph, hlo::Type type) { return constant(graph, std::move(type), 0); }
Value ones(hlo::Graph& graph, hlo::Type type) { return constant(graph, std::move(type), 1); }

constexpr Folding kFoldings[] = {
    {"sum", hlo::Combiner::Add, zeros},
    {"mean", hlo::Combiner::Add, zeros},
    {"add", hlo::Combiner::Add, zeros},
    {"prod", hlo::Combiner::Multiply, ones},
    {"multiply", hlo::Combiner::Multiply, ones},
    {"amax", hlo::Combiner::Maximum, hlo::lowest},
    {"amin", hlo::Combiner::Minimum, hlo::highest},
};

const Folding& folding(Lowering& l) {
  for (const Folding& known : kFoldings) {
    if (known.name == l.text("reduce")) return known;
  }
  fail("reduce argument must be sum, prod, mean, amax or amin, got {}", l.text("reduce"));
}

// Of bools, a sum is "or" and a product "and".
hlo::Combiner combiner(const Folding& folding, Value x) {
  if (folding.combiner == hlo::Combiner::Add) return adding(x);
  const bool both = folding.combiner == hlo::Combiner::Multiply && x.dtype() == DType::Pred;
  return both ? hlo::Combiner::And : folding.combiner;
}

// Where the elements of `src` go is the caller's business: it scatters updates of src's shape.
using Scatter = std::function<Value(Value x, Value updates, hlo::Combiner combiner)>;

// How many elements each place of x was made of: at least one.
Value counts(Value x, Value src, bool with_self, const Scatter& scatter) {
  const Value own = fill_like(x, with_self ? 1 : 0);
  return maximum(scatter(own, fill_like(src, 1), hlo::Combiner::Add), fill_like(x, 1));
}

// Integers are averaged as ATen does, downwards.
Value divided(Value x, Value count) {
  if (!hlo::is_integer(x.dtype())) return x / count;
  const Value quotient = x / count, rest = x - quotient * count;
  const Value negative = compare(Direction::Lt, rest, fill_like(rest, 0));
  return select(negative, quotient - 1, quotient);
}

// XLA's CPU compiler lets a number beat a NaN where a scatter keeps an extremum.
Value nan_wins(Value x, Value src, Value extremum, const Scatter& scatter) {
  if (!hlo::is_floating(x.dtype())) return extremum;
  const Value hit = scatter(hlo::is_nan(x), hlo::is_nan(src), hlo::Combiner::Or);
  return select(hit, fill_like(x, std::numeric_limits<double>::quiet_NaN()), extremum);
}

// x with `src` folded into it, or, without x itself, what src makes of the places it meets.
Value folded_into(Lowering& l, Value x, Value src, const Scatter& scatter) {
  const Folding& fold = folding(l);
  const bool with_self = l.flag("include_self");
  const Value start = fold.start(l.graph(), src.type());
  const Value base = with_self ? x : scatter(x, start, hlo::Combiner::Replace);
  const Value result = scatter(base, src, combiner(fold, x));
  if (fold.name == "mean") return divided(result, counts(x, src, with_self, scatter));
  return fold.name.starts_with("am") ? nan_wins(base, src, result, scatter) : result;
}

Results scatter_reduce(Lowering& l) {
  const Value self = l.tensor("self"), source = source_like(l, self, "src");
  const Scatter scatter = [&](Value x, Value updates, hlo::Combiner combiner) {
    return scattered(l, x, updates, combiner);
  };
  const Value folded = folded_into(l, to_compute_type(self), to_compute_type(source), scatter);
  return hlo::convert(folded, self.dtype());
}

Results scatter_combining(Lowering& l) {
  const Value x = l.tensor("self");
  return scattered(l, x, source_like(l, x, "src"), combiner(folding(l), x));
}

Results scatter_value_combining(Lowering& l) {
  const Value x = l.tensor("self");
  const Value value = hlo::broadcast_to(l.scalar("value", x.dtype()), l.tensor("index").dims());
  return scattered(l, x, value, combiner(folding(l), x));
}

// x with the slices of `source` [.., n, ..] combined into it at the positions in `index` [n] along
// `dim`.
Value with_slices(Value x, int64_t dim, Value index, Value source, hlo::Combiner combiner) {
  Dims window;
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (i != dim) window.push_back(i);
  }
  if (source.type().elements() == 0) return x;
  return hlo::scatter(x, hlo::reshape(index, {index.dim(0), 1}), source,
                      {.window = window, .inserted = {dim}, .map = {dim}}, combiner);
}

// Slices along a dim, and where they go.
struct Slices {
  Value x;  // of rank 1 at least
  int64_t dim;
  Value index;   // [n]
  Value source;  // x's shape, with n along the dim
};

Slices slices(Lowering& l) {
  const Value self = l.tensor("self"), x = at_least_1d(self);
  const Value index = at_least_1d(index_of(l)), source = at_least_1d(source_like(l, x, "source"));
  const int64_t dim = l.dim("dim", self.rank());
  Dims wanted = x.dims();
  wanted[static_cast<size_t>(dim)] = index.type().elements();
  if (index.rank() != 1 || source.dims() != wanted) {
    fail(
        "along dim {} of {} an index [n] and a source of that shape with n there are wanted, got "
        "{} "
        "and {}",
        dim, to_string(x.type()), to_string(index.type()), to_string(source.type()));
  }
  return {x, dim, index, source};
}

Results index_add(Lowering& l) {
  const Slices s = slices(l);
  const Value added = with_slices(s.x, s.dim, s.index, l.scaled(s.source, "alpha"), adding(s.x));
  return hlo::reshape(added, l.type("self").dims);
}

Results index_reduce(Lowering& l) {
  const Slices s = slices(l);
  const Scatter scatter = [&](Value x, Value updates, hlo::Combiner combiner) {
    return with_slices(x, s.dim, s.index, updates, combiner);
  };
  const Value folded = folded_into(l, to_compute_type(s.x), to_compute_type(s.source), scatter);
  return hlo::reshape(hlo::convert(folded, s.x.dtype()), l.type("self").dims);
}

// The gradient of x.unfold(dim, size, step), [.., windows, .., size], added up to the shape of x.
Results unfold_backward(Lowering& l) {
  const Value grad = l.tensor("grad_in");
  const hlo::Type whole{grad.dtype(), l.ints("input_sizes")};
  const Value zero = hlo::constant(l.graph(), whole, 0);
  if (whole.rank() == 0) return hlo::reshape(grad, {});
  const int64_t dim = l.dim("dim", whole.rank()), size = l.integer("size");
  const int64_t windows = grad.dim(dim);
  // Element k of window w came from position w * step + k.
  const hlo::Type places{DType::I64, {windows, size}};
  const Value position = hlo::iota(l.graph(), places, 0) * static_cast<double>(l.integer("step")) +
                         hlo::iota(l.graph(), places, 1);
  Dims order(static_cast<size_t>(whole.rank()));
  std::iota(order.begin(), order.end(), 0);
  order.insert(order.begin() + dim + 1, whole.rank());
  Dims joined = whole.dims;
  joined[static_cast<size_t>(dim)] = windows * size;
  return with_slices(zero, dim, hlo::reshape(position, {windows * size}),
                     hlo::reshape(hlo::transpose(grad, order), joined), adding(zero));
}

constexpr OpRow kRows[] = {
    {"aten::index_select", index_select},
    {"aten::gather", gather},
    {"aten::scatter.src", scatter_src},
    {"aten::scatter.value", scatter_value},
    {"aten::scatter_add", scatter_add},
    {"aten::scatter.reduce", scatter_combining},
    {"aten::scatter.value_reduce", scatter_value_combining},
    {"aten::scatter_reduce.two", scatter_reduce},
    {"aten::index_add", index_add},
    {"aten::index_reduce", index_reduce},
    {"aten::unfold_backward", unfold_backward},
};

}  // namespace

std::span<const OpRow> indexing_rows() { return kRows; }

}  // namespace ippatsu::ops
