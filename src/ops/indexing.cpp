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
    fail("embedding with scale_grad_by_freq has no gradient on this device yet");
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

Results gather(Lowering& l) {
  const Value x = l.tensor("self"), index = l.tensor("index", DType::I64);
  const int64_t dim = l.dim("dim", x.rank());
  if (x.rank() == 0) return x;
  const Dims every = all_dims(x);
  const hlo::GatherDims dims{
      .offset = {}, .collapsed = every, .map = every, .sizes = Dims(every.size(), 1)};
  return hlo::gather(x, index_vectors(index, dim), dims, index.dims());
}

Value scattered(Lowering& l, Value x, Value updates, hlo::Combiner combiner) {
  const Value index = l.tensor("index", DType::I64);
  if (x.rank() == 0) return updates;
  const Dims every = all_dims(x);
  const Value used = hlo::slice(updates, Dims(every.size(), 0), index.dims());
  return hlo::scatter(x, index_vectors(index, l.dim("dim", x.rank())), used,
                      {.window = {}, .inserted = every, .map = every}, combiner);
}

Results scatter_src(Lowering& l) {
  const Value x = l.tensor("self");
  return scattered(l, x, l.tensor("src", x.dtype()), hlo::Combiner::Replace);
}

Results scatter_value(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims shape = l.tensor("index").dims();
  return scattered(l, x, hlo::broadcast_to(l.scalar("value", x.dtype()), shape),
                   hlo::Combiner::Replace);
}

Results scatter_add(Lowering& l) {
  const Value x = l.tensor("self");
  const auto combiner = x.dtype() == DType::Pred ? hlo::Combiner::Or : hlo::Combiner::Add;
  return scattered(l, x, l.tensor("src", x.dtype()), combiner);
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
    {"aten::topk", topk},
    {"aten::sort", sort},
    {"aten::sort.stable", sort},
};

}  // namespace

std::span<const OpRow> indexing_rows() { return kRows; }

}  // namespace ippatsu::ops
