// x[i, :, j] and its kin: elements chosen by tensors of positions, read, assigned and added to.
//
// Positions are not checked, as the device cannot raise: reading out of range reads the nearest
// element, and a write out of range is dropped. Negative positions count from the end.

#include "ops/compute.h"
#include "ops/indexing.h"
#include "ops/scan.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

Value flat(Value x) { return hlo::reshape(x, {x.type().elements()}); }

bool is_mask(DType dtype) { return dtype == DType::Pred || dtype == DType::U8; }

// The positions of a dim of `extent`, none of them negative, as i64.
Value wrapped(Value index, int64_t extent) {
  if (index.dtype() != DType::I64 && index.dtype() != DType::I32) {
    fail("tensors used as indices must be long, int, byte or bool tensors, got {}",
         to_string(index.type()));
  }
  const Value position = hlo::convert(index, DType::I64);
  const Value negative = compare(Direction::Lt, position, fill_like(position, 0));
  return select(negative, position + static_cast<double>(extent), position);
}

// The tensors of an index list, and what they make of a tensor of `dims`.
struct Indexing {
  Dims indexed;   // the dims that have a tensor
  Value vectors;  // i64[..., indexed dims]: where they point
  Dims window;    // where the other dims stand in the result
  Dims result;    // its shape
};

void check_count(const std::vector<std::optional<Value>>& indices, int64_t rank) {
  if (static_cast<int64_t>(indices.size()) > rank) {
    fail("too many indices for tensor of dimension {} (got {})", rank, indices.size());
  }
}

// The common shape of the positions stands where the first indexed dim was, or in front of all
// where the indexed dims are not neighbours: numpy's rule, and ATen's.
Indexing indexing(const Dims& dims, const std::vector<std::optional<Value>>& indices) {
  Indexing found;
  Values positions;
  Dims shape;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i]) continue;
    if (is_mask(indices[i]->dtype()))
      throw NoForm("a mask chooses as many elements as it has true ones, which only the host sees");
    found.indexed.push_back(static_cast<int64_t>(i));
    positions.push_back(wrapped(*indices[i], dims[i]));
    shape = hlo::broadcast_dims(shape, positions.back().dims());
  }
  if (positions.empty()) return found;

  Dims column = shape;
  column.push_back(1);
  for (Value& position : positions)
    position = hlo::reshape(hlo::broadcast_to(position, shape), column);
  const auto added = static_cast<int64_t>(shape.size());
  found.vectors = hlo::concatenate(positions, added);

  const int64_t first = found.indexed.front(), last = found.indexed.back();
  const bool neighbours = last - first + 1 == static_cast<int64_t>(found.indexed.size());
  const int64_t place = neighbours ? first : 0;
  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i) {
    if (std::ranges::find(found.indexed, i) != found.indexed.end()) continue;
    const auto before = static_cast<int64_t>(found.window.size());
    found.window.push_back(before < place ? before : before + added);
    found.result.push_back(dims[static_cast<size_t>(i)]);
  }
  found.result.insert(found.result.begin() + place, shape.begin(), shape.end());
  return found;
}

Value chosen(Value x, const Indexing& indexing) {
  const hlo::Type result{x.dtype(), indexing.result};
  if (result.elements() == 0) return hlo::constant(x.graph(), result, 0);
  if (x.type().elements() == 0) fail("index is out of bounds for {}", to_string(x.type()));
  Dims sizes = x.dims();
  for (const int64_t dim : indexing.indexed) sizes[static_cast<size_t>(dim)] = 1;
  return hlo::gather(x, indexing.vectors,
                     {.offset = indexing.window,
                      .collapsed = indexing.indexed,
                      .map = indexing.indexed,
                      .sizes = sizes},
                     indexing.result);
}

Value put(Value x, const Indexing& indexing, Value updates, bool accumulate) {
  if (updates.type().elements() == 0) return x;
  const auto add = x.dtype() == DType::Pred ? hlo::Combiner::Or : hlo::Combiner::Add;
  return hlo::scatter(
      x, indexing.vectors, updates,
      {.window = indexing.window, .inserted = indexing.indexed, .map = indexing.indexed},
      accumulate ? add : hlo::Combiner::Replace);
}

Results index(Lowering& l) {
  const Value x = l.tensor("self");
  const auto indices = l.optional_tensors("indices");
  check_count(indices, x.rank());
  const Indexing places = indexing(x.dims(), indices);
  return places.indexed.empty() ? x : chosen(x, places);
}

// The dims that the first of the given indices covers, where it is a mask and the only one.
struct Mask {
  Value mask;
  int64_t dim;
};

std::optional<Mask> only_mask(const std::vector<std::optional<Value>>& indices) {
  std::optional<Mask> found;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i]) continue;
    if (found || !is_mask(indices[i]->dtype())) return std::nullopt;
    found = Mask{hlo::convert(*indices[i], DType::Pred), static_cast<int64_t>(i)};
  }
  return found;
}

// The dims of x that the mask covers.
Dims covered_dims(Value x, const Mask& where) {
  Dims covered;
  for (int64_t i = 0; i < where.mask.rank(); ++i) {
    covered.push_back(where.dim + i);
    if (covered.back() >= x.rank() || x.dim(covered.back()) != where.mask.dim(i)) {
      fail("the shape of the mask {} does not match {} from dim {} on",
           to_string(where.mask.type()), to_string(x.type()), where.dim);
    }
  }
  return covered;
}

// The values that x[mask] = values puts where the mask holds, in x's shape: the k-th of them at the
// k-th place that holds, which needs no count of the places.
Value spread(Value x, const Mask& where, Value values) {
  const auto before = static_cast<size_t>(where.dim),
             masked = static_cast<size_t>(where.mask.rank());
  const Dims head(x.dims().begin(), x.dims().begin() + where.dim);
  const Dims tail(x.dims().begin() + where.dim + where.mask.rank(), x.dims().end());
  const auto count_dim = values.rank() - static_cast<int64_t>(tail.size()) - 1;
  const int64_t count = count_dim < 0 ? 1 : values.dim(count_dim);
  Dims each = head;
  each.push_back(count);
  each.insert(each.end(), tail.begin(), tail.end());
  values = hlo::broadcast_to(values, each);
  if (count == 1) {
    each = x.dims();
    std::fill_n(each.begin() + where.dim, masked, 1);
    return hlo::broadcast_to(hlo::reshape(values, each), x.dims());
  }
  const int64_t places = where.mask.type().elements();
  const Value order =
      running_sum(hlo::convert(hlo::reshape(where.mask, {places}), DType::I64), 0) - 1;
  std::vector<std::optional<Value>> indices(before);
  indices.emplace_back(order);
  return hlo::reshape(chosen(values, indexing(each, indices)), x.dims());
}

Value put_masked(Value x, const Mask& where, Value values, bool accumulate) {
  const Value mask = hlo::broadcast_in_dim(where.mask, x.dims(), covered_dims(x, where));
  if (x.type().elements() == 0 || values.type().elements() == 0) return x;
  const Value there = spread(x, where, values);
  if (!accumulate) return select(mask, there, x);
  return select(mask, x.dtype() == DType::Pred ? x | there : x + there, x);
}

Results index_put(Lowering& l) {
  const Value x = l.tensor("self"), values = l.tensor("values");
  const auto indices = l.optional_tensors("indices");
  const bool accumulate = l.flag("accumulate");
  check_count(indices, x.rank());
  if (values.dtype() != x.dtype()) {
    fail("Index put requires the source and destination dtypes match, got {} for {}",
         to_string(values.type()), to_string(x.type()));
  }
  const auto mask = only_mask(indices);
  if (mask) return put_masked(x, *mask, values, accumulate);
  const Indexing places = indexing(x.dims(), indices);
  if (places.indexed.empty()) {
    const Value all = hlo::broadcast_to(values, x.dims());
    return accumulate ? x + all : all;
  }
  return put(x, places, hlo::broadcast_to(values, places.result), accumulate);
}

// --- masks over a whole tensor

// x and its mask in their common shape, flattened.
struct Masked {
  Value x, mask;
  Dims shape;
};

Masked masked(Lowering& l, std::string_view name) {
  const Value x = l.tensor(name), mask = l.tensor("mask");
  if (mask.dtype() != DType::Pred)
    fail("expected BoolTensor for mask, got {}", to_string(mask.type()));
  Dims shape = hlo::broadcast_dims(x.dims(), mask.dims());
  const Dims flat{hlo::element_count(shape)};
  return {hlo::reshape(hlo::broadcast_to(x, shape), flat),
          hlo::reshape(hlo::broadcast_to(mask, shape), flat), std::move(shape)};
}

// The elements of `source`, one after the other, wherever the mask holds.
Results masked_scatter(Lowering& l) {
  const Masked m = masked(l, "self");
  const Value source = l.tensor("source");
  if (source.dtype() != m.x.dtype()) {
    fail("masked_scatter: expected self and source to have same dtypes but got {} and {}",
         hlo::name(m.x.dtype()), hlo::name(source.dtype()));
  }
  return hlo::reshape(put_masked(m.x, {m.mask, 0}, flat(source), /*accumulate=*/false), m.shape);
}

// For each place of a list its own position if the mask holds there, else one behind all of these:
// sorted, the places that hold stand in front.
Value front_keys(Value mask) {
  const Value place = hlo::iota(mask.graph(), {DType::I64, mask.dims()}, 0);
  return select(mask, place, place + static_cast<double>(mask.dim(0)));
}

// The first `count` of a list, which goes on with `filling`.
Value resized(Value x, int64_t count, Value filling) {
  return hlo::pad(x, filling, {0}, {count - x.dim(0)});
}

// What the mask chooses, in order, and zeros behind it.
Results masked_scatter_backward(Lowering& l) {
  const Masked m = masked(l, "grad_output");
  const Dims sizes = l.ints("sizes");
  const Values front = hlo::sort(front_keys(m.mask), {m.x}, 0, /*descending=*/false);
  const auto places = static_cast<double>(m.mask.dim(0));
  const Value holds = compare(Direction::Lt, front[0], fill_like(front[0], places));
  const Value elements = select(holds, front[1], fill_like(front[1], 0));
  const Value zero = hlo::constant(l.graph(), {m.x.dtype(), {}}, 0);
  return hlo::reshape(resized(elements, hlo::element_count(sizes), zero), sizes);
}

// The positions of the first `size` elements that are not zero, one row for each.
Results nonzero_static(Lowering& l) {
  const Value x = l.tensor("self", DType::Pred), list = flat(x);
  const int64_t size = l.integer("size"), places = list.dim(0);
  if (size < 0) fail("nonzero_static: 'size' must be an non-negative integer");
  if (x.rank() == 0) return hlo::constant(l.graph(), {DType::I64, {size, 0}}, 0);
  const Value none = hlo::constant(l.graph(), {DType::I64, {}}, places);
  const Value found = resized(hlo::sort(front_keys(list), {}, 0, false)[0], size, none);
  const Value holds = compare(Direction::Lt, found, fill_like(found, static_cast<double>(places)));
  const Value filling = hlo::broadcast_to(l.scalar("fill_value", DType::I64), {size});
  Values columns;
  int64_t stride = places;
  for (int64_t i = 0; i < x.rank() && places > 0; ++i) {
    stride /= x.dim(i);
    const Value position = remainder(found / static_cast<double>(stride),
                                     fill_like(found, static_cast<double>(x.dim(i))));
    columns.push_back(hlo::reshape(select(holds, position, filling), {size, 1}));
  }
  if (places == 0) columns.assign(static_cast<size_t>(x.rank()), hlo::reshape(filling, {size, 1}));
  return hlo::concatenate(columns, 1);
}

// --- slices along one dim; a rank-0 tensor counts as one of rank 1

struct Slices {
  Value x;
  int64_t dim;
  Indexing places;
};

Slices slices(Lowering& l) {
  const Value self = l.tensor("self"), x = at_least_1d(self), index = l.tensor("index");
  if (index.rank() > 1) fail("index is supposed to be a vector, got {}", to_string(index.type()));
  const int64_t dim = l.dim("dim", self.rank());
  std::vector<std::optional<Value>> indices(static_cast<size_t>(dim));
  indices.emplace_back(at_least_1d(index));
  return {x, dim, indexing(x.dims(), indices)};
}

// The slices that `source` has for the places.
Value sources(Lowering& l, const Slices& slices) {
  const Value source = l.tensor("source");
  if (source.dtype() != slices.x.dtype()) {
    fail("self and source are expected to have the same dtype, got {} and {}",
         hlo::name(slices.x.dtype()), hlo::name(source.dtype()));
  }
  if (source.type().elements() != hlo::element_count(slices.places.result)) {
    fail("source {} does not have a slice for each index: wanted {}", to_string(source.type()),
         to_string(hlo::Type{source.dtype(), slices.places.result}));
  }
  return hlo::reshape(source, slices.places.result);
}

Results index_copy(Lowering& l) {
  const Slices s = slices(l);
  return hlo::reshape(put(s.x, s.places, sources(l, s), /*accumulate=*/false),
                      l.tensor("self").dims());
}

Results index_fill(Lowering& l) {
  const Slices s = slices(l);
  const Value filling = hlo::broadcast_to(l.operand("value", s.x.dtype()), s.places.result);
  return hlo::reshape(put(s.x, s.places, filling, /*accumulate=*/false), l.tensor("self").dims());
}

// --- elements by their place in the flattened tensor

Results take(Lowering& l) {
  const Value x = flat(l.tensor("self"));
  return chosen(x, indexing(x.dims(), {l.tensor("index")}));
}

Results put_row(Lowering& l) {
  const Value self = l.tensor("self"), x = flat(self), index = l.tensor("index");
  const Value source = l.tensor("source");
  if (source.dtype() != x.dtype() || source.type().elements() != index.type().elements()) {
    fail("source {} does not have an element of {} for each of {}", to_string(source.type()),
         hlo::name(x.dtype()), to_string(index.type()));
  }
  const Value updates = hlo::reshape(source, index.dims());
  return hlo::reshape(put(x, indexing(x.dims(), {index}), updates, l.flag("accumulate")),
                      self.dims());
}

constexpr OpRow kRows[] = {
    {"aten::index.Tensor", index},
    {"aten::index_put", index_put},
    {"aten::_index_put_impl", index_put},
    {"aten::index_copy", index_copy},
    {"aten::index_fill.int_Scalar", index_fill},
    {"aten::index_fill.int_Tensor", index_fill},
    {"aten::masked_scatter", masked_scatter},
    {"aten::masked_scatter_backward", masked_scatter_backward},
    {"aten::nonzero_static", nonzero_static},
    {"aten::take", take},
    {"aten::put", put_row},
};

}  // namespace

std::span<const OpRow> advanced_indexing_rows() { return kRows; }

}  // namespace ippatsu::ops
