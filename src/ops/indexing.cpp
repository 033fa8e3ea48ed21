// Operators that choose elements by index.

#include <algorithm>

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// x's slices along `dim` at the positions in `index` [n].
Value take_slices(Value x, Value index, int64_t dim) {
  hlo::GatherDims dims{.offset = {}, .collapsed = {dim}, .map = {dim}, .sizes = x.dims()};
  dims.sizes[static_cast<size_t>(dim)] = 1;
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (i != dim) dims.offset.push_back(i);
  }
  Dims result = x.dims();
  result[static_cast<size_t>(dim)] = index.dim(0);
  return hlo::gather(x, hlo::reshape(index, {index.dim(0), 1}), dims, result);
}

Results index_select(Lowering& l) {
  const Value x = l.tensor("self"), index = l.tensor("index", DType::I64);
  if (index.rank() > 1) fail("an index is of rank 1 at most, got {}", to_string(index.type()));
  const Value positions = hlo::reshape(index, {index.type().elements()});
  if (x.rank() == 0) return x;
  return take_slices(x, positions, l.dim("dim", x.rank()));
}

// weight[indices]: [num, dim] and [...] to [..., dim]
Results embedding(Lowering& l) {
  const Value weight = l.tensor("weight"), indices = l.tensor("indices", DType::I64);
  const Value rows = take_slices(weight, hlo::reshape(indices, {indices.type().elements()}), 0);
  Dims shape = indices.dims();
  shape.push_back(weight.dim(1));
  return hlo::reshape(rows, shape);
}

Results embedding_backward(Lowering& l) {
  if (l.flag("scale_grad_by_freq"))
    throw NoForm("how often each row occurs is not counted on the device");
  const Value grad = l.tensor("grad_output"), indices = l.tensor("indices", DType::I64);
  const int64_t count = indices.type().elements(), width = grad.dim(grad.rank() - 1);
  const Value zero = hlo::constant(l.graph(), {grad.dtype(), {l.integer("num_weights"), width}}, 0);
  // A row that must stay without gradient is sent out of range, where scatter drops it.
  const Value padding = hlo::constant(l.graph(), {DType::I64, {count}}, l.integer("padding_idx"));
  const Value flat = hlo::reshape(indices, {count});
  const Value kept = select(compare(Direction::Eq, flat, padding), fill_like(flat, -1), flat);
  return hlo::scatter(zero, hlo::reshape(kept, {count, 1}), hlo::reshape(grad, {count, width}),
                      {.window = {1}, .inserted = {0}, .map = {0}}, hlo::Combiner::Add);
}

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

// A rank-0 tensor counts as one of a single element.
Value at_least_1d(Value x) { return x.rank() == 0 ? hlo::reshape(x, {1}) : x; }

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
  if (given.type().elements() == 0)
    return hlo::constant(l.graph(), {self.dtype(), given.dims()}, 0);
  const Value x = at_least_1d(self), index = at_least_1d(given);
  check_index(index, x, dim);
  const Dims every = all_dims(x);
  const hlo::GatherDims dims{
      .offset = {}, .collapsed = every, .map = every, .sizes = Dims(every.size(), 1)};
  return hlo::reshape(hlo::gather(x, index_vectors(index, dim), dims, index.dims()), given.dims());
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

// self with the slices of `source` [.., n, ..] added at the positions in `index` [n] along `dim`.
Results index_add(Lowering& l) {
  const Value self = l.tensor("self"), x = at_least_1d(self);
  const Value index = at_least_1d(index_of(l));
  const Value source = at_least_1d(l.scaled(source_like(l, x, "source"), "alpha"));
  const int64_t dim = l.dim("dim", self.rank());
  Dims wanted = x.dims();
  wanted[static_cast<size_t>(dim)] = index.type().elements();
  if (index.rank() != 1 || source.dims() != wanted) {
    fail(
        "index_add along dim {} of {} wants an index [n] and a source of that shape with n there, "
        "got {} and {}",
        dim, to_string(x.type()), to_string(index.type()), to_string(source.type()));
  }
  Dims window;
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (i != dim) window.push_back(i);
  }
  const Value column = hlo::reshape(index, {index.dim(0), 1});
  return hlo::reshape(hlo::scatter(x, column, source,
                                   {.window = window, .inserted = {dim}, .map = {dim}}, adding(x)),
                      self.dims());
}

// --- order

// The k greatest or least along `dim`, in order.
Results topk(Lowering& l) {
  const Value x = l.tensor("self");
  const int64_t k = l.integer("k"), dim = l.dim("dim", x.rank());
  if (x.rank() == 0) return {x, hlo::constant(l.graph(), {DType::I64, {}}, 0)};
  if (k < 0 || k > x.dim(dim))
    fail("k = {} is out of range for dim {} of {}", k, dim, to_string(x.type()));
  const Value positions = hlo::iota(l.graph(), {DType::I64, x.dims()}, dim);
  const Values sorted = hlo::sort(x, {positions}, dim, l.flag("largest"));
  return {slice_dim(sorted[0], dim, 0, k), slice_dim(sorted[1], dim, 0, k)};
}

Results sort(Lowering& l) {
  const Value x = l.tensor("self");
  if (x.rank() == 0) return {x, hlo::constant(l.graph(), {DType::I64, {}}, 0)};
  const int64_t dim = l.dim("dim", x.rank());
  const Value positions = hlo::iota(l.graph(), {DType::I64, x.dims()}, dim);
  return hlo::sort(x, {positions}, dim, l.flag("descending"));
}

constexpr OpRow kRows[] = {
    {"aten::index_select", index_select},
    {"aten::embedding", embedding},
    {"aten::embedding_dense_backward", embedding_backward},
    {"aten::gather", gather},
    {"aten::scatter.src", scatter_src},
    {"aten::scatter.value", scatter_value},
    {"aten::scatter_add", scatter_add},
    {"aten::index_add", index_add},
    {"aten::topk", topk},
    {"aten::sort", sort},
    {"aten::sort.stable", sort},
};

}  // namespace

std::span<const OpRow> indexing_rows() { return kRows; }

}  // namespace ippatsu::ops
