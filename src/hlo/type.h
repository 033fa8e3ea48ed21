#pragma once

// Element types and tensor types, as StableHLO names them. The type of every value on the device.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ippatsu::hlo {

enum class DType : uint8_t {
  Pred,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
  C64,
  C128
};

inline constexpr int kDTypes = 15;

// The element type as StableHLO spells it: "i1", "ui8", "bf16", "complex<f32>" ...
std::string_view name(DType dtype);

// Bytes of one element in host memory.
int64_t byte_width(DType dtype);

bool is_integer(DType dtype);   // signed or unsigned, not Pred
bool is_floating(DType dtype);  // F16, BF16, F32, F64
bool is_complex(DType dtype);

// The element type of the real and imaginary parts; `dtype` itself where it is not complex.
DType real_part(DType dtype);

using Dims = std::vector<int64_t>;

int64_t element_count(std::span<const int64_t> dims);

// A tensor type: element type and dimensions, row-major, every dimension static.
struct Type {
  DType dtype = DType::F32;
  Dims dims;

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t elements() const { return element_count(dims); }
  int64_t bytes() const { return elements() * byte_width(dtype); }

  friend bool operator==(const Type&, const Type&) = default;
};

// For people: "f32[2,3]".
std::string to_string(const Type& type);

// For StableHLO: "tensor<2x3xf32>".
std::string mlir(const Type& type);

}  // namespace ippatsu::hlo
