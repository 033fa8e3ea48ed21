#include "check/input_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu::check {

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

}  // namespace

TEST(InputSpec, IsADtypeAndAShapeAndForIntegersARange) {
  struct Case {
    const char* text;
    const char* type;
    int64_t low, high;
  };
  for (const Case& c :
       {Case{"f32[8,3,32,32]", "f32[8,3,32,32]", 0, 10}, Case{"bf16[]", "bf16[]", 0, 10},
        Case{"f32", "f32[]", 0, 10}, Case{"bool[4]", "i1[4]", 0, 2},
        Case{"i64[4,16]{0..100}", "i64[4,16]", 0, 100}, Case{"i32[0]", "i32[0]", 0, 10},
        Case{"u8[2]{1..256}", "ui8[2]", 1, 256}, Case{"i8[2]{-3..3}", "i8[2]", -3, 3}}) {
    const InputSpec spec = parse_input(c.text);
    EXPECT_EQ(hlo::to_string(spec.type), c.type);
    EXPECT_EQ(spec.low, c.low) << c.text;
    EXPECT_EQ(spec.high, c.high) << c.text;
  }
}

TEST(InputSpec, AnythingElseIsNamed) {
  for (const char* text :
       {"", "[2]", "f31[2]", "f32[", "f32[2", "f32[2]]", "f32[a]", "f32[-1]", "f32[2,]", "f32[2]x",
        "f32[2]{0..3}", "i64[2]{3..3}", "i64[2]{0..}", "i64[2]{0..3", "f32[99999999999999999999]",
        "f32[4294967296,4294967296]", "f322"}) {
    EXPECT_THAT([&] { (void)parse_input(text); },
                ThrowsMessage<Error>(HasSubstr(fmt::format("`{}` is no input", text))));
  }
}

}  // namespace ippatsu::check
