#include "base/error.h"

#include <gtest/gtest.h>

namespace ippatsu {

TEST(Error, GathersItsContextFromTheInsideOut) {
  const Error error = Error("dim 5 is out of range").within("sum");
  EXPECT_STREQ(error.what(), "sum: dim 5 is out of range");
}

TEST(Error, FailFormatsTheMessage) {
  try {
    fail("{} of {}", 2, "three");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "2 of three");
  }
}

}  // namespace ippatsu
