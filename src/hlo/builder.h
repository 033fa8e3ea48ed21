#pragma once

// One function per StableHLO operation (the specification is at openxla.org/stablehlo/spec), and
// the few compositions that everyone needs. Each checks its operands and works out the result type;
// a mistake throws an Error that names the operation's rule, and whoever called adds the place.
//
//     Value mean = divide(reduce_sum(x, {1}), fill_like(..., 128));
//     Value y = x * logistic(x);
//
// Operands of an elementwise operation have the same type: `broadcast_to` and `convert` first.

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "hlo/graph.h"

namespace ippatsu::hlo {

// --- values from nothing
// --------------------------------------------------------------------------

// Every element equal to `value` (a number in a complex type has no imaginary part).
Value constant(Graph& graph, Type type, double value);
Value constant(Graph& graph, Type type, int64_t value);
Value constant(Graph& graph, Type type, int value);

// The numbers themselves, row-major: small tables of indices or coefficients, at most 4096 of them.
Value constant_list(Graph& graph, Type type, std::span<const double> values);
Value constant_list(Graph& graph, Type type, std::span<const int64_t> values);

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

// Of f32 or f64 parts; of a real number, `real` is the number and `imag` zero.
inline Value complex(Value real, Value imag) { return binary(Opcode::Complex, real, imag); }
inline Value real(Value x) { return unary(Opcode::Real, x); }
inline Value imag(Value x) { return unary(Opcode::Imag, x); }

// Special functions that have an operation of their own.
inline Value bessel_i1e(Value x) { return unary(Opcode::BesselI1e, x); }
inline Value digamma(Value x) { return unary(Opcode::Digamma, x); }
inline Value lgamma(Value x) { return unary(Opcode::Lgamma, x); }
inline Value polygamma(Value order, Value x) { return binary(Opcode::Polygamma, order, x); }
inline Value zeta(Value s, Value q) { return binary(Opcode::Zeta, s, q); }  // sum of (k + q)^-s

enum class Direction { Eq, Ne, Lt, Le, Gt, Ge };
enum class Order { Partial, Total };  // Total: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN

Value compare(Direction direction, Value x, Value y, Order order = Order::Partial);
inline Value is_nan(Value x) { return compare(Direction::Ne, x, x); }

// `on_true` where `predicate` holds, else `on_false`.
Value select(Value predicate, Value on_true, Value on_false);

// x drawn into [low, high]; NaN stays NaN. XLA turns a bare minimum of a maximum into its clamp,
// whose code for the CPU loses it.
inline Value bounded(Value x, Value low, Value high) {
  return select(is_nan(x), x, minimum(maximum(x, low), high));
}

Value convert(Value x, DType dtype);  // x itself where it has that type

// The same bits. A narrower type adds a last dim for the parts of each element; a wider one takes
// such a dim away. Not for complex types and Pred.
Value bitcast_convert(Value x, DType dtype);

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
// Several operands of one shape at once. `body` gets what is reduced so far, then the next, one of
// rank 0 for each operand, and returns them reduced.
Values reduce(const Values& operands, const Values& initials, Dims dims, const Body& body);
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

// Sorts operands of one shape together, stably. `comes_before` gets two elements of the first
// operand, two of the second, ... and returns an i1.
Values sort(const Values& operands, int64_t dim, const Body& comes_before);

// The k greatest of the last dim, greatest first, and their positions, the lower of equals first.
// Order::Total: a NaN is the greatest, but the least if its sign bit is set.
Extremum top_k(Value x, int64_t k);

// --- loops
// ------------------------------------------------------------------------------------------

// Replaces the values by body(values) as long as condition(values), an i1 of rank 0, holds.
Values while_loop(const Values& initial, const Body& condition, const Body& body);

// The same `count` times; `index` is an i64 of rank 0.
Values repeat(int64_t count, const Values& initial,
              const std::function<Values(Value index, std::span<const Value> carried)>& body);

// --- windows
// ----------------------------------------------------------------------------------------

// A window that moves over an operand. Empty lists change nothing: strides and dilations of 1, no
// padding. Negative padding crops.
struct Window {
  Dims sizes;  // a convolution has them from its kernel
  Dims strides;
  Dims low, high;  // padding in front and behind
  Dims base_dilation, window_dilation;
};

// Which dim is what; empty `spatial`: the others in their order.
struct ImageDims {
  int64_t batch = 0, feature = 1;
  Dims spatial;
};
struct KernelDims {
  int64_t output = 0, input = 1;
  Dims spatial;
};

struct Convolution {
  Window window;  // of the spatial dims; base dilation makes it a transposed convolution
  ImageDims input;
  KernelDims kernel;
  ImageDims output;
  int64_t feature_groups = 1;  // the kernel's input features are those of one group
  int64_t batch_groups = 1;
  std::vector<bool> reversal;  // of the kernel, per spatial dim; empty: none
};
// As PyTorch's convolutions do, it does not reverse the kernel by itself.
Value convolution(Value x, Value kernel, const Convolution& options = {});

// The window spans every dim of the operands.
Value reduce_window(Combiner combiner, Value x, Value initial, const Window& window);
Values reduce_window(const Values& operands, const Values& initials, const Window& window,
                     const Body& body);

// Combines each element of `source` into the element of x that wins its window, from `initial` on.
// `select` gets two elements of x and returns whether the first is kept.
Value select_and_scatter(Value x, Value source, Value initial, const Window& window,
                         const Body& select, Combiner combiner);

// --- linear algebra, transforms
// ---------------------------------------------------------------------

// The last two dims hold matrices of f32, f64 or complex numbers; those before are a batch.

// Reads one triangle; the other one of the result is undefined. NaN where a is not positive
// definite.
Value cholesky(Value a, bool lower);

struct TriangularSolve {
  enum class Transpose { None, Transpose, Adjoint };
  bool left_side = true;  // op(a) x = b, else x op(a) = b
  bool lower = true;      // which triangle of a counts
  bool unit_diagonal = false;
  Transpose transpose = Transpose::None;
};
Value triangular_solve(Value a, Value b, const TriangularSolve& options = {});

// These three are custom calls that XLA itself expands into other operations, on every platform.

// As LAPACK's geqrf: R in the upper triangle of `reflectors`, below it the vectors that with
// `factors` make Q.
struct Qr {
  Value reflectors;  // [..., m, n]
  Value factors;     // [..., min(m, n)]
};
Qr qr(Value a);
// The first n columns of Q, for m >= n; `factors` may be fewer than n.
Value householder_product(Value reflectors, Value factors);

// Of symmetric or Hermitian matrices, of which one triangle counts; values ascending.
struct Eigensystem {
  Value values;
  Value vectors;  // as columns
};
Eigensystem eigh(Value a, bool lower);

// Over the last dims, which are as long as `lengths` says; the spectrum of real numbers has
// length / 2 + 1 in the last one.
enum class FftKind { Fft, Ifft, Rfft, Irfft };
Value fft(FftKind kind, Value x, Dims lengths);

// Calls what a platform has under that name. It must have exactly these operands and results:
// nobody can check that.
struct CustomCall {
  std::string_view target;
  std::string_view backend_config = "";
  int64_t api_version = 2;
  bool has_side_effect = false;
};
Values custom_call(Graph& graph, const CustomCall& call, Values operands,
                   std::vector<Type> result_types);

// --- random
// -----------------------------------------------------------------------------------------

// Uniform random bits from Philox (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011). `state` is ui64[2]: the key and the counter. The result's type is one of U8 ... U64.
Value random_bits(Value state, Type type);

}  // namespace ippatsu::hlo
