#include "pjrt/element_type.h"

#include <gtest/gtest.h>

namespace ippatsu::pjrt {

TEST(ElementType, ConvertsBothWays) {
  for (int i = 0; i < hlo::kDTypes; ++i) {
    const auto dtype = static_cast<hlo::DType>(i);
    EXPECT_EQ(from_pjrt(to_pjrt(dtype)), dtype) << name(dtype);
    EXPECT_EQ(from_xla(to_xla(dtype)), dtype) << name(dtype);
  }
}

TEST(ElementType, OtherTypesHaveNoCounterpart) {
  EXPECT_EQ(from_pjrt(PJRT_Buffer_Type_INVALID), std::nullopt);
  EXPECT_EQ(from_pjrt(PJRT_Buffer_Type_TOKEN), std::nullopt);
  EXPECT_EQ(from_pjrt(1000), std::nullopt);
  EXPECT_EQ(from_xla(13), std::nullopt);  // TUPLE
}

}  // namespace ippatsu::pjrt
