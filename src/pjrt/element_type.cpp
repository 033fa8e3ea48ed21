#include "pjrt/element_type.h"

#include <algorithm>
#include <array>

namespace ippatsu::pjrt {

namespace {

using hlo::DType;

struct ElementType {
  DType dtype;
  PJRT_Buffer_Type pjrt;
  int xla;  // PrimitiveType in xla_data.proto
};

// In the order of hlo::DType.
constexpr std::array<ElementType, hlo::kDTypes> kElementTypes{{
    {DType::Pred, PJRT_Buffer_Type_PRED, 1},
    {DType::I8, PJRT_Buffer_Type_S8, 2},
    {DType::I16, PJRT_Buffer_Type_S16, 3},
    {DType::I32, PJRT_Buffer_Type_S32, 4},
    {DType::I64, PJRT_Buffer_Type_S64, 5},
    {DType::U8, PJRT_Buffer_Type_U8, 6},
    {DType::U16, PJRT_Buffer_Type_U16, 7},
    {DType::U32, PJRT_Buffer_Type_U32, 8},
    {DType::U64, PJRT_Buffer_Type_U64, 9},
    {DType::F16, PJRT_Buffer_Type_F16, 10},
    {DType::BF16, PJRT_Buffer_Type_BF16, 16},
    {DType::F32, PJRT_Buffer_Type_F32, 11},
    {DType::F64, PJRT_Buffer_Type_F64, 12},
    {DType::C64, PJRT_Buffer_Type_C64, 15},
    {DType::C128, PJRT_Buffer_Type_C128, 18},
}};

template <typename Number>
std::optional<DType> find(Number ElementType::*column, int number) {
  const auto row = std::ranges::find(kElementTypes, number, column);
  return row == kElementTypes.end() ? std::nullopt : std::optional(row->dtype);
}

}  // namespace

PJRT_Buffer_Type to_pjrt(DType dtype) { return kElementTypes[static_cast<size_t>(dtype)].pjrt; }
std::optional<DType> from_pjrt(int type) { return find(&ElementType::pjrt, type); }
int to_xla(DType dtype) { return kElementTypes[static_cast<size_t>(dtype)].xla; }
std::optional<DType> from_xla(int number) { return find(&ElementType::xla, number); }

}  // namespace ippatsu::pjrt
