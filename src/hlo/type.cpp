#include "hlo/type.h"

#include <array>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ippatsu::hlo {

namespace {

enum class Kind { Pred, Integer, Floating, Complex };

struct DTypeInfo {
  std::string_view name;
  int64_t bytes;
  Kind kind;
};

// In the order of the enumeration.
constexpr std::array<DTypeInfo, kDTypes> kInfo{{
    {"i1", 1, Kind::Pred},
    {"i8", 1, Kind::Integer},
    {"i16", 2, Kind::Integer},
    {"i32", 4, Kind::Integer},
    {"i64", 8, Kind::Integer},
    {"ui8", 1, Kind::Integer},
    {"ui16", 2, Kind::Integer},
    {"ui32", 4, Kind::Integer},
    {"ui64", 8, Kind::Integer},
    {"f16", 2, Kind::Floating},
    {"bf16", 2, Kind::Floating},
    {"f32", 4, Kind::Floating},
    {"f64", 8, Kind::Floating},
    {"complex<f32>", 8, Kind::Complex},
    {"complex<f64>", 16, Kind::Complex},
}};

const DTypeInfo& info(DType dtype) { return kInfo[static_cast<size_t>(dtype)]; }

}  // namespace

std::string_view name(DType dtype) { return info(dtype).name; }
int64_t byte_width(DType dtype) { return info(dtype).bytes; }
bool is_integer(DType dtype) { return info(dtype).kind == Kind::Integer; }
bool is_floating(DType dtype) { return info(dtype).kind == Kind::Floating; }
bool is_complex(DType dtype) { return info(dtype).kind == Kind::Complex; }

DType real_part(DType dtype) {
  if (dtype == DType::C64) return DType::F32;
  if (dtype == DType::C128) return DType::F64;
  return dtype;
}

int64_t element_count(std::span<const int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

std::string to_string(const Type& type) {
  return fmt::format("{}[{}]", name(type.dtype), fmt::join(type.dims, ","));
}

std::string mlir(const Type& type) {
  std::string text = "tensor<";
  for (const int64_t dim : type.dims) text += fmt::format("{}x", dim);
  return text.append(name(type.dtype)) + ">";
}

}  // namespace ippatsu::hlo
