#include "ops/dtype.h"

#include "base/error.h"

namespace ippatsu::ops {

namespace {

// In the order of hlo::DType.
constexpr c10::ScalarType kScalarTypes[hlo::kDTypes] = {
    c10::ScalarType::Bool,   c10::ScalarType::Char,         c10::ScalarType::Short,
    c10::ScalarType::Int,    c10::ScalarType::Long,         c10::ScalarType::Byte,
    c10::ScalarType::UInt16, c10::ScalarType::UInt32,       c10::ScalarType::UInt64,
    c10::ScalarType::Half,   c10::ScalarType::BFloat16,     c10::ScalarType::Float,
    c10::ScalarType::Double, c10::ScalarType::ComplexFloat, c10::ScalarType::ComplexDouble,
};

}  // namespace

hlo::DType dtype_of(c10::ScalarType type) {
  for (int i = 0; i < hlo::kDTypes; ++i) {
    if (kScalarTypes[i] == type) return static_cast<hlo::DType>(i);
  }
  fail("the element type {} cannot be held on this device", c10::toString(type));
}

c10::ScalarType scalar_type_of(hlo::DType dtype) {
  return kScalarTypes[static_cast<size_t>(dtype)];
}

}  // namespace ippatsu::ops
