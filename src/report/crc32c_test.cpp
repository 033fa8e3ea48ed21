#include "report/crc32c.h"

#include <string>

#include <gtest/gtest.h>

namespace ippatsu::report {

// RFC 3720, appendix B.4, and the check value of the Rocksoft catalogue.
TEST(Crc32c, GivesThePublishedValues) {
  std::string rising, falling;
  for (char i = 0; i < 32; ++i) {
    rising += i;
    falling += static_cast<char>(31 - i);
  }
  const std::string_view read_command(
      "\x01\xC0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x14\0\0\0\0\0\x04\0\0\0\0\x14\0\0\0\x18"
      "\x28\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0",
      48);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
  EXPECT_EQ(crc32c(rising), 0x46DD794Eu);
  EXPECT_EQ(crc32c(falling), 0x113FDB5Cu);
  EXPECT_EQ(crc32c(read_command), 0xD9963A56u);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(""), 0u);
}

}  // namespace ippatsu::report
