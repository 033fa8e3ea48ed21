#pragma once

// Matrices: the last two dims of a value hold one, the dims before them are a batch.

#include "hlo/builder.h"

namespace ippatsu::hlo {

inline int64_t rows(Value a) { return a.dim(a.rank() - 2); }
inline int64_t columns(Value a) { return a.dim(a.rank() - 1); }

Dims batch_dims(Value a);
Dims matrix_dims(Dims batch, int64_t rows, int64_t columns);
Dims vector_dims(Dims batch, int64_t length);
Value flattened(Value a);  // to one batch dim: [batch, rows, columns]
Value broadcast_batch(Value a, const Dims& batch);

Value conjugate(Value x);  // x itself where it is real
Value transposed(Value a);
Value adjoint(Value a);
Value matrix_product(Value a, Value b);  // of the same batch

// The product in a wider type than that of the operands, to which its sums are not rounded.
Value dot_general(Value lhs, Value rhs, const DotDims& dims, DType result);

// How each element's row compares with its column plus `offset`, in the shape of `like`.
Value where_row(Direction direction, Value like, int64_t offset = 0);

// x where the predicate holds, elsewhere 0.
Value only(Value predicate, Value x);

inline Value lower_triangle(Value a) { return only(where_row(Direction::Ge, a), a); }
inline Value upper_triangle(Value a) { return only(where_row(Direction::Le, a), a); }

Value zeros(Graph& graph, DType dtype, Dims dims);
Value identity(Graph& graph, Type type);
Value diagonal(Value a);  // [..., min(rows, columns)]
Value slice_rows(Value a, int64_t start, int64_t limit);
Value slice_columns(Value a, int64_t start, int64_t limit);

// Zeros at the right and at the bottom up to that size.
Value padded(Value a, int64_t rows, int64_t columns);

// Row i of the result is row order[i] of the matrix; `order` is i64[..., n].
Value permuted_rows(Value a, Value order);

}  // namespace ippatsu::hlo
