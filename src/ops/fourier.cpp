// Discrete Fourier transforms. ATen's own operators pad, crop and shift around the three here.

#include <algorithm>
#include <cmath>

#include <c10/core/WrapDimMinimal.h>

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::FftKind;

// The dims of the argument in its order, which says over which one a real transform is halved.
Dims transformed_dims(Lowering& l, Value x) {
  Dims dims = l.ints("dim");
  for (int64_t& dim : dims) dim = c10::maybe_wrap_dim(dim, x.rank());
  return dims;
}

int64_t element_count(const Dims& shape, const Dims& dims) {
  int64_t count = 1;
  for (const int64_t dim : dims) count *= shape[static_cast<size_t>(dim)];
  return count;
}

// The factor that ATen's number for a normalization asks for.
double norm_factor(int64_t normalization, int64_t points) {
  const auto n = static_cast<double>(points);
  switch (normalization) {
    case 0:
      return 1;
    case 1:
      return 1 / std::sqrt(n);
    case 2:
      return 1 / n;
    default:
      fail("an fft's normalization is 0, 1 or 2, got {}", normalization);
  }
}

Value scaled(Value x, double factor) { return factor == 1 ? x : x * factor; }

// `dims` at the end, in their order.
Dims permutation_to_end(int64_t rank, const Dims& dims) {
  Dims order;
  for (int64_t i = 0; i < rank; ++i) {
    if (std::ranges::find(dims, i) == dims.end()) order.push_back(i);
  }
  order.insert(order.end(), dims.begin(), dims.end());
  return order;
}

Dims inverse(const Dims& permutation) {
  Dims places(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    places[static_cast<size_t>(permutation[i])] = static_cast<int64_t>(i);
  return places;
}

// Over at most three dims, with these lengths of the signal.
Value transform(FftKind kind, Value x, const Dims& dims, const Dims& lengths) {
  const Dims order = permutation_to_end(x.rank(), dims);
  return hlo::transpose(hlo::fft(kind, hlo::transpose(x, order), lengths), inverse(order));
}

// As many dims at once as XLA takes.
Value complex_transform(FftKind kind, Value x, const Dims& dims) {
  constexpr size_t kMostDims = 3;
  for (size_t first = 0; first < dims.size(); first += kMostDims) {
    const size_t last = std::min(first + kMostDims, dims.size());
    const Dims some(dims.begin() + static_cast<std::ptrdiff_t>(first),
                    dims.begin() + static_cast<std::ptrdiff_t>(last));
    Dims lengths;
    for (const int64_t dim : some) lengths.push_back(x.dim(dim));
    x = transform(kind, x, some, lengths);
  }
  return x;
}

Value complex_to_complex(Value x, const Dims& dims, int64_t normalization, bool forward) {
  if (x.type().elements() == 0) return x;
  const int64_t points = element_count(x.dims(), dims);
  const double factor = norm_factor(normalization, points);
  if (forward) return scaled(complex_transform(FftKind::Fft, x, dims), factor);
  // XLA's inverse transforms are normalized, ATen's are not.
  return scaled(complex_transform(FftKind::Ifft, x, dims), factor * static_cast<double>(points));
}

DType complex_type(DType dtype) { return dtype == DType::F64 ? DType::C128 : DType::C64; }

void check_complex(Value x) {
  if (!hlo::is_complex(x.dtype()))
    fail("this fft wants complex numbers, got {}", to_string(x.type()));
}

Results c2c(Lowering& l) {
  const Value x = l.tensor("self");
  check_complex(x);
  return complex_to_complex(x, transformed_dims(l, x), l.integer("normalization"),
                            l.flag("forward"));
}

Results r2c(Lowering& l) {
  const Value x = l.tensor("self");
  if (x.dtype() != DType::F32 && x.dtype() != DType::F64)
    fail("this fft wants f32 or f64, got {}", to_string(x.type()));
  Dims dims = transformed_dims(l, x);
  const int64_t normalization = l.integer("normalization");
  const DType complex = complex_type(x.dtype());
  if (dims.empty() || !l.flag("onesided"))
    return complex_to_complex(hlo::convert(x, complex), dims, normalization, true);
  const double factor = norm_factor(normalization, element_count(x.dims(), dims));
  const int64_t halved = dims.back();
  if (x.type().elements() == 0) {
    Dims shape = x.dims();
    int64_t& length = shape[static_cast<size_t>(halved)];
    length = length / 2 + 1;
    return hlo::constant(l.graph(), {complex, std::move(shape)}, 0);
  }
  const Value half = transform(FftKind::Rfft, x, {halved}, {x.dim(halved)});
  dims.pop_back();
  return scaled(complex_transform(FftKind::Fft, half, dims), factor);
}

Results c2r(Lowering& l) {
  const Value x = l.tensor("self");
  check_complex(x);
  Dims dims = transformed_dims(l, x);
  if (dims.empty()) fail("a real fft wants at least one dim");
  const int64_t length = l.integer("last_dim_size"), halved = dims.back();
  Dims shape = x.dims();
  shape[static_cast<size_t>(halved)] = length;
  if (hlo::element_count(shape) == 0 || x.type().elements() == 0)
    return hlo::constant(l.graph(), {hlo::real_part(x.dtype()), shape}, 0);
  const int64_t points = element_count(shape, dims);
  const double factor =
      norm_factor(l.integer("normalization"), points) * static_cast<double>(points);
  dims.pop_back();
  const Value half =
      slice_dim(complex_transform(FftKind::Ifft, x, dims), halved, 0, length / 2 + 1);
  return scaled(transform(FftKind::Irfft, half, {halved}, {length}), factor);
}

constexpr OpRow kRows[] = {
    {"aten::_fft_c2c", c2c},
    {"aten::_fft_r2c", r2c},
    {"aten::_fft_c2r", c2r},
};

}  // namespace

std::span<const OpRow> fourier_rows() { return kRows; }

}  // namespace ippatsu::ops
