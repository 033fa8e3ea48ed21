#pragma once

// One function per StableHLO operation (the specification is at openxla.org/stablehlo/spec), and
// the few compositions that everyone needs. Each checks its operands and works out the result type;
// a mistake throws an Error that names the operation's rule, and whoever called adds the place.
//
//     Value mean = divide(reduce_sum(x, {1}), fill_like(..., 128));
//     Value y = x * logistic(x);
//
// Operands of an elementwise operation have the same type: `broadcast_to` and `convert` first.

#include <array>
#include <span>

#include "hlo/graph.h"

namespace ippatsu::hlo {

// --- values from nothing
// --------------------------------------------------------------------------

// Every element equal to `value` (a number in a complex type has no imaginary part).
Value constant(Graph& graph, Type type, double value);
Value constant(Graph& graph, Type type, int64_t value);
Value constant(Graph& graph, Type type, int value);

// The same shape and graph as `like`.
Value fill_like(Value like, double value);

// The least and the greatest value of an element type: infinities for floating types.
Value lowest(Graph& graph, Type type);
Value highest(Graph& graph, Type type);

// Element (i0, i1, ...) is i_dim.
Value iota(Graph& graph, Type type, int64_t dim);

// --- elementwise
// ------------------------------------------------------------------------------------

Value unary(Opcode opcode, Value x);
Value binary(Opcode opcode, Value x, Value y);

inline Value operator+(Value x, Value y) { return binary(Opcode::Add, x, y); }
inline Value operator-(Value x, Value y) { return binary(Opcode::Subtract, x, y); }
inline Value operator*(Value x, Value y) { return binary(Opcode::Multiply, x, y); }
inline Value operator/(Value x, Value y) { return binary(Opcode::Divide, x, y); }
inline Value operator-(Value x) { return unary(Opcode::Negate, x); }
inline Value operator&(Value x, Value y) { return binary(Opcode::And, x, y); }
inline Value operator|(Value x, Value y) { return binary(Opcode::Or, x, y); }
inline Value operator~(Value x) { return unary(Opcode::Not, x); }
inline Value operator+(Value x, double y) { return x + fill_like(x, y); }
inline Value operator-(Value x, double y) { return x - fill_like(x, y); }
inline Value operator*(Value x, double y) { return x * fill_like(x, y); }
inline Value operator/(Value x, double y) { return x / fill_like(x, y); }
inline Value operator+(double x, Value y) { return fill_like(y, x) + y; }
inline Value operator-(double x, Value y) { return fill_like(y, x) - y; }
inline Value operator*(double x, Value y) { return fill_like(y, x) * y; }
inline Value operator/(double x, Value y) { return fill_like(y, x) / y; }

inline Value abs(Value x) { return unary(Opcode::Abs, x); }
inline Value erf(Value x) { return unary(Opcode::Erf, x); }
inline Value exp(Value x) { return unary(Opcode::Exponential, x); }
inline Value expm1(Value x) { return unary(Opcode::ExponentialMinusOne, x); }
inline Value floor(Value x) { return unary(Opcode::Floor, x); }
inline Value log(Value x) { return unary(Opcode::Log, x); }
inline Value log1p(Value x) { return unary(Opcode::LogPlusOne, x); }
inline Value logistic(Value x) { return unary(Opcode::Logistic, x); }
inline Value rsqrt(Value x) { return unary(Opcode::Rsqrt, x); }
inline Value sign(Value x) { return unary(Opcode::Sign, x); }
inline Value sqrt(Value x) { return unary(Opcode::Sqrt, x); }
inline Value tanh(Value x) { return unary(Opcode::Tanh, x); }
inline Value maximum(Value x, Value y) { return binary(Opcode::Maximum, x, y); }
inline Value minimum(Value x, Value y) { return binary(Opcode::Minimum, x, y); }
inline Value power(Value x, Value y) { return binary(Opcode::Power, x, y); }
inline Value remainder(Value x, Value y) { return binary(Opcode::Remainder, x, y); }

enum class Direction { Eq, Ne, Lt, Le, Gt, Ge };
enum class Order { Partial, Total };  // Total: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN

Value compare(Direction direction, Value x, Value y, Order order = Order::Partial);
inline Value is_nan(Value x) { return compare(Direction::Ne, x, x); }

// `on_true` where `predicate` holds, else `on_false`.
Value select(Value predicate, Value on_true, Value on_false);

Value convert(Value x, DType dtype);          // x itself where it has that type
Value bitcast_convert(Value x, DType dtype);  // the same bits; both types of the same width

// --- shape and place
// --------------------------------------------------------------------------------

// Dimension i of x becomes dimension `placement[i]` of the result.
Value broadcast_in_dim(Value x, Dims dims, Dims placement);

// PyTorch's and numpy's rule: aligned at the last dimension, 1 stretches.
Value broadcast_to(Value x, const Dims& dims);
Dims broadcast_dims(const Dims& x, const Dims& y);

Value reshape(Value x, Dims dims);           // x itself where it has that shape
Value transpose(Value x, Dims permutation);  // result dim i is x's dim permutation[i]
Value reverse(Value x, Dims dims);
Value slice(Value x, Dims starts, Dims limits, Dims strides = {});  // empty strides: all 1
Value slice_dim(Value x, int64_t dim, int64_t start, int64_t limit, int64_t stride = 1);
Value pad(Value x, Value filling, Dims low, Dims high, Dims interior = {});
Value concatenate(Values parts, int64_t dim);

// `starts` are rank-0 integers of one type. Out-of-range starts are clamped, as in XLA.
Value dynamic_slice(Value x, Values starts, Dims sizes);
Value dynamic_update_slice(Value x, Value update, Values starts);

struct GatherDims {
  Dims offset;     // dims of the result that come from the slice
  Dims collapsed;  // dims of x that are sliced to size 1 and dropped
  Dims map;        // which dim of x each component of an index vector steers
  Dims sizes;      // of the slice, one per dim of x
};
// The last dimension of `indices` holds the index vectors. Out-of-range indices are clamped.
Value gather(Value x, Value indices, const GatherDims& dims, Dims result_dims);

struct ScatterDims {
  Dims window;    // dims of the updates that form the window
  Dims inserted;  // dims of x the window lacks
  Dims map;       // which dim of x each component of an index vector steers
};
enum class Combiner { Replace, Add, Multiply, Maximum, Minimum, And, Or };
// Updates out of range are dropped. The order in which equal indices are applied is not defined.
Value scatter(Value x, Value indices, Value updates, const ScatterDims& dims, Combiner combiner);

// --- contractions, reductions, order
// ----------------------------------------------------------------

struct DotDims {
  Dims lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
};
// Result: batch dims, then what is left of lhs, then what is left of rhs.
Value dot_general(Value lhs, Value rhs, const DotDims& dims);

Value reduce(Combiner combiner, Value x, Value initial, Dims dims);
Value reduce_sum(Value x, Dims dims);
Value reduce_max(Value x, Dims dims);  // NaN wins, as everywhere in StableHLO
Value reduce_min(Value x, Dims dims);
Value reduce_and(Value x, Dims dims);
Value reduce_or(Value x, Dims dims);

struct Extremum {
  Value value;
  Value index;  // i64
};
// The greatest (least) element along `dim` and its first position; a NaN beats every number.
Extremum arg_max(Value x, int64_t dim);
Extremum arg_min(Value x, int64_t dim);

// Sorts `keys` along `dim`, stably, NaN as the greatest, and carries `carried` along.
// Results: the keys, then the carried values.
Values sort(Value keys, const Values& carried, int64_t dim, bool descending);

// --- random
// -----------------------------------------------------------------------------------------

// Uniform random bits from Philox (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011). `state` is ui64[2]: the key and the counter. The result's type is one of U8 ... U64.
Value random_bits(Value state, Type type);

}  // namespace ippatsu::hlo
