#include "data/unpack.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ippatsu::data {

TEST(UnpackBits, WritesOneByteABitAndNoneBeyond) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> bits(3);
  for (uint64_t& word : bits) word = random();
  for (const size_t count : {0, 1, 8, 37, 63, 64, 65, 127, 128, 172, 192}) {
    std::vector<uint8_t> bytes(count + 1, 0xee);
    unpack_bits(bits, std::span(bytes).first(count));
    for (size_t i = 0; i < count; ++i)
      ASSERT_EQ(bytes[i], bits[i / 64] >> (i % 64) & 1) << "bit " << i << " of " << count;
    EXPECT_EQ(bytes[count], 0xee) << count;
  }
}

}  // namespace ippatsu::data
