#include "ops/random_stream.h"

#include <array>
#include <cmath>
#include <numbers>

namespace ippatsu::ops {

namespace {

// How the random words of a type become its numbers.
struct Precision {
  DType word, signed_word, real;
  int bits, mantissa;
};
Precision precision_of(DType dtype) {
  return dtype == DType::F64 ? Precision{DType::U64, DType::I64, DType::F64, 64, 53}
                             : Precision{DType::U32, DType::I32, DType::F32, 32, 24};
}

}  // namespace

// A block of Philox has 128 bits; the next request starts behind the last one that this one takes.
Value RandomStream::words(hlo::Type type) {
  constexpr int64_t kBlockBytes = 16;
  const int64_t blocks = (type.bytes() + kBlockBytes - 1) / kBlockBytes;
  const Value drawn = random_bits(state_, std::move(type));
  const std::array<int64_t, 2> step{0, blocks};
  state_ = state_ + hlo::constant_list(state_.graph(), state_.type(), step);
  return drawn;
}

Value RandomStream::uniform(const Dims& dims, DType dtype) {
  const auto [word, signed_word, real, bits, mantissa] = precision_of(dtype);
  const int kept = dtype == DType::BF16 ? 8 : dtype == DType::F16 ? 11 : mantissa;
  const Value drawn = words({word, dims});
  const Value shift = hlo::constant(drawn.graph(), drawn.type(), bits - kept);
  const Value upper = hlo::binary(hlo::Opcode::ShiftRightLogical, drawn, shift);
  return hlo::convert(upper, real) * std::ldexp(1.0, -kept);
}

// (i + 1/2) / n for i = -n ... n - 1: no rounding moves it to an end.
Value RandomStream::symmetric_uniform(const Dims& dims, DType dtype) {
  const auto [word, signed_word, real, bits, mantissa] = precision_of(dtype);
  const Value drawn = hlo::bitcast_convert(words({word, dims}), signed_word);
  const Value shift = hlo::constant(drawn.graph(), drawn.type(), bits - mantissa);
  const Value upper = hlo::binary(hlo::Opcode::ShiftRightArithmetic, drawn, shift);
  return (hlo::convert(upper, real) + 0.5) * std::ldexp(1.0, 1 - mantissa);
}

Value RandomStream::open_uniform(const Dims& dims, DType dtype) {
  const auto [word, signed_word, real, bits, mantissa] = precision_of(dtype);
  const Value drawn = words({word, dims});
  const Value shift = hlo::constant(drawn.graph(), drawn.type(), bits - mantissa + 1);
  const Value upper = hlo::binary(hlo::Opcode::ShiftRightLogical, drawn, shift);
  return (hlo::convert(upper, real) + 0.5) * std::ldexp(1.0, 1 - mantissa);
}

// The inverse of the distribution function: sqrt 2 * erfinv of a symmetric uniform number.
Value RandomStream::normal(const Dims& dims, DType dtype) {
  return hlo::unary(hlo::Opcode::ErfInv, symmetric_uniform(dims, dtype)) * std::numbers::sqrt2;
}

Value RandomStream::exponential(const Dims& dims, DType dtype) {
  return -log(open_uniform(dims, dtype));
}

}  // namespace ippatsu::ops
