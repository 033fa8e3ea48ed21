#include "trace/reinterpret.h"

namespace ippatsu::trace {

namespace {

using hlo::Dims;
using hlo::DType;
using hlo::Value;

// The type whose bits StableHLO can see: parts of a complex number, a byte for a bool.
DType bits_type(DType dtype) { return dtype == DType::Pred ? DType::U8 : hlo::real_part(dtype); }

Value flat(Value x) { return hlo::reshape(x, {x.type().elements()}); }

Value to_bits(Value array) {
  if (hlo::is_complex(array.dtype())) {
    const Dims column{array.dim(0), 1};
    return flat(hlo::concatenate(
        {hlo::reshape(hlo::real(array), column), hlo::reshape(hlo::imag(array), column)}, 1));
  }
  return hlo::convert(array, bits_type(array.dtype()));
}

Value from_bits(Value bits, DType dtype) {
  if (!hlo::is_complex(dtype)) return hlo::convert(bits, dtype);
  const Value pairs = hlo::reshape(bits, {bits.dim(0) / 2, 2});
  return hlo::complex(flat(hlo::slice_dim(pairs, 1, 0, 1)), flat(hlo::slice_dim(pairs, 1, 1, 2)));
}

Value resized(Value array, int64_t elements) {
  const int64_t have = array.dim(0);
  if (have >= elements) return hlo::slice_dim(array, 0, 0, elements);
  const Value zero = hlo::constant(array.graph(), {array.dtype(), {}}, 0);
  return hlo::pad(array, zero, {0}, {elements - have});
}

}  // namespace

Value reinterpret(Value array, DType dtype, int64_t elements) {
  if (array.dtype() == dtype && array.type().elements() == elements) return array;
  const Value bits = to_bits(flat(array));
  const DType wanted = bits_type(dtype);
  const int64_t width = hlo::byte_width(bits.dtype()), wanted_width = hlo::byte_width(wanted);
  const int64_t bytes = elements * hlo::byte_width(dtype);
  const Value enough = resized(bits, (bytes + width - 1) / width);
  const bool widens = wanted_width > width;
  const Value parts =
      widens ? hlo::reshape(enough, {bytes / wanted_width, wanted_width / width}) : enough;
  const Value seen = flat(hlo::bitcast_convert(parts, wanted));
  return from_bits(resized(seen, bytes / wanted_width), dtype);
}

}  // namespace ippatsu::trace
