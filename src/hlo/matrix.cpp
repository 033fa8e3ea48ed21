#include "hlo/matrix.h"

#include <numeric>
#include <utility>

#include "hlo/builder_parts.h"

namespace ippatsu::hlo {

namespace {

Dims range(int64_t count) {
  Dims dims(static_cast<size_t>(count));
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

}  // namespace

Dims batch_dims(Value a) { return {a.dims().begin(), a.dims().end() - 2}; }

Dims matrix_dims(Dims batch, int64_t rows, int64_t columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

Dims vector_dims(Dims batch, int64_t length) {
  batch.push_back(length);
  return batch;
}

Value flattened(Value a) { return reshape(a, {element_count(batch_dims(a)), rows(a), columns(a)}); }

Value broadcast_batch(Value a, const Dims& batch) {
  return broadcast_to(a, matrix_dims(batch, rows(a), columns(a)));
}

Value conjugate(Value x) { return is_complex(x.dtype()) ? complex(real(x), -imag(x)) : x; }

Value transposed(Value a) {
  Dims permutation = range(a.rank());
  std::swap(permutation[permutation.size() - 2], permutation.back());
  return transpose(a, std::move(permutation));
}

Value adjoint(Value a) { return conjugate(transposed(a)); }

Value matrix_product(Value a, Value b) {
  const int64_t last = a.rank() - 1;
  return dot_general(a, b,
                     {.lhs_batch = range(last - 1),
                      .rhs_batch = range(last - 1),
                      .lhs_contracting = {last},
                      .rhs_contracting = {last - 1}});
}

Value dot_general(Value lhs, Value rhs, const DotDims& dims, DType result) {
  const Value narrow = dot_general(lhs, rhs, dims);
  if (result == narrow.dtype()) return narrow;
  return lhs.graph().add(Opcode::DotGeneral, {result, narrow.dims()}, narrow.node->operands,
                         narrow.node->attributes);
}

Value where_row(Direction direction, Value like, int64_t offset) {
  const Type type{DType::I64, like.dims()};
  const Value column = iota(like.graph(), type, like.rank() - 1);
  return compare(direction, iota(like.graph(), type, like.rank() - 2),
                 offset == 0 ? column : column + static_cast<double>(offset));
}

Value only(Value predicate, Value x) { return select(predicate, x, fill_like(x, 0)); }

Value zeros(Graph& graph, DType dtype, Dims dims) {
  return constant(graph, {dtype, std::move(dims)}, 0);
}

Value identity(Graph& graph, Type type) {
  const Value ones = constant(graph, std::move(type), 1);
  return only(where_row(Direction::Eq, ones), ones);
}

Value diagonal(Value a) {
  const int64_t size = std::min(rows(a), columns(a));
  const Value square = slice_columns(slice_rows(a, 0, size), 0, size);
  return reduce_sum(only(where_row(Direction::Eq, square), square), {a.rank() - 1});
}

Value slice_rows(Value a, int64_t start, int64_t limit) {
  return slice_dim(a, a.rank() - 2, start, limit);
}

Value slice_columns(Value a, int64_t start, int64_t limit) {
  return slice_dim(a, a.rank() - 1, start, limit);
}

Value padded(Value a, int64_t wanted_rows, int64_t wanted_columns) {
  if (rows(a) == wanted_rows && columns(a) == wanted_columns) return a;
  Dims high = zeros(a.rank());
  high[high.size() - 2] = wanted_rows - rows(a);
  high.back() = wanted_columns - columns(a);
  return pad(a, constant(a.graph(), {a.dtype(), {}}, 0), zeros(a.rank()), std::move(high));
}

Value permuted_rows(Value a, Value order) {
  const int64_t width = columns(a), count = order.dims().back();
  const Value flat = flattened(a);
  const Dims places = {flat.dim(0), count, 1};
  const Value matrix = iota(a.graph(), {DType::I64, places}, 0);
  const Value index = concatenate({matrix, reshape(order, places)}, 2);
  const Value taken = gather(
      flat, index, {.offset = {2}, .collapsed = {0, 1}, .map = {0, 1}, .sizes = {1, 1, width}},
      {flat.dim(0), count, width});
  return reshape(taken, matrix_dims(batch_dims(a), count, width));
}

}  // namespace ippatsu::hlo
