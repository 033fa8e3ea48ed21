#pragma once

// The operations a program can hold, and how each is spelled in StableHLO's generic form.

#include <cstdint>
#include <string>
#include <string_view>

namespace ippatsu::hlo {

struct Node;

enum class Opcode : uint8_t {
  // inputs
  Parameter,
  Scalar,
  // values from nothing
  Constant,
  ConstantList,
  Iota,
  // one operand, elementwise
  Abs,
  Cbrt,
  Ceil,
  Cosine,
  CountLeadingZeros,
  Exponential,
  ExponentialMinusOne,
  Floor,
  Imag,
  IsFinite,
  Log,
  LogPlusOne,
  Logistic,
  Negate,
  Not,
  PopulationCount,
  Real,
  RoundNearestAfz,
  RoundNearestEven,
  Rsqrt,
  Sign,
  Sine,
  Sqrt,
  Tan,
  Tanh,
  Acos,
  Acosh,
  Asin,
  Asinh,
  Atan,
  Atanh,
  BesselI1e,
  Cosh,
  Digamma,
  Erf,
  ErfInv,
  Erfc,
  Lgamma,
  Sinh,
  // two operands, elementwise
  Add,
  And,
  Atan2,
  Complex,
  Divide,
  Maximum,
  Minimum,
  Multiply,
  NextAfter,
  Or,
  Polygamma,
  Power,
  Remainder,
  ShiftLeft,
  ShiftRightArithmetic,
  ShiftRightLogical,
  Subtract,
  Xor,
  Zeta,
  // other elementwise
  Compare,
  Select,
  Clamp,
  Convert,
  BitcastConvert,
  // shape and place
  Broadcast,
  Reshape,
  Transpose,
  Reverse,
  Slice,
  Pad,
  Concatenate,
  DynamicSlice,
  DynamicUpdateSlice,
  Gather,
  Scatter,
  // contractions, reductions, order
  DotGeneral,
  Reduce,
  Sort,
  TopK,
  // windows
  Convolution,
  ReduceWindow,
  SelectAndScatter,
  // linear algebra, transforms
  Cholesky,
  TriangularSolve,
  Fft,
  // other
  RngBitGenerator,
  While,
  CustomCall,
};

inline constexpr int kOpcodes = static_cast<int>(Opcode::CustomCall) + 1;

// "stablehlo.add", "chlo.erf" ...
std::string_view name(Opcode opcode);

// The operation's attribute dictionary as StableHLO's generic form wants it, without the braces.
std::string attribute_text(const Node& node);

}  // namespace ippatsu::hlo
