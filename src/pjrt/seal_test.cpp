#include "pjrt/seal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu::pjrt {

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kSealed = seal("machine code", "plugin 0.81");

void expect_refused(std::string_view bytes, std::string_view maker, const char* why) {
  EXPECT_THAT([&] { unseal(bytes, maker); }, ThrowsMessage<Error>(HasSubstr(why)));
}

}  // namespace

TEST(Seal, ComesOffWhole) {
  EXPECT_EQ(unseal(kSealed, "plugin 0.81"), "machine code");
  EXPECT_EQ(unseal(seal("", "x"), "x"), "");
}

TEST(Seal, IsRefusedByAnotherMaker) { expect_refused(kSealed, "plugin 0.82", "another plugin"); }

TEST(Seal, EveryPrefixIsRefused) {
  for (size_t length = 0; length < kSealed.size(); ++length)
    EXPECT_THROW(unseal(kSealed.substr(0, length), "plugin 0.81"), Error) << length;
}

TEST(Seal, EveryChangedByteIsRefused) {
  for (size_t at = 0; at < kSealed.size(); ++at) {
    std::string changed = kSealed;
    changed[at] ^= 1;
    EXPECT_THROW(unseal(changed, "plugin 0.81"), Error) << at;
  }
}

TEST(Seal, SaysWhatIsWrong) {
  expect_refused("", "plugin 0.81", "no serialized program");
  expect_refused(kSealed + "!", "plugin 0.81", "damaged");
}

}  // namespace ippatsu::pjrt
