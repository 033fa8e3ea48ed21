#include "pjrt/named_value.h"

#include <cstring>

#include <gtest/gtest.h>

namespace ippatsu::pjrt {

TEST(NamedValue, EveryKindComesBack) {
  const Options options{{"list", std::vector<int64_t>{1, -2}},
                        {"number", int64_t{1} << 40},
                        {"real", 1.5f},
                        {"text", "some text"},
                        {"truth", true}};
  EXPECT_EQ(from_named_values(to_named_values(options)), options);
}

TEST(NamedValue, AKindThatTheHeaderLacksIsLeftOut) {
  const Options options{{"number", 1}};
  auto values = to_named_values(options);
  const int unknown = 99;
  std::memcpy(&values[0].type, &unknown, sizeof unknown);
  EXPECT_TRUE(from_named_values(values).empty());
}

TEST(NamedValue, ReadsWellForPeople) {
  EXPECT_EQ(to_string(OptionValue(std::vector<int64_t>{1, 2})), "[1,2]");
  EXPECT_EQ(to_string(OptionValue(true)), "true");
  EXPECT_EQ(to_string(OptionValue("text")), "text");
}

}  // namespace ippatsu::pjrt
