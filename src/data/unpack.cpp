#include "data/unpack.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstring>

namespace ippatsu::data {

namespace {

using ByteTable = std::array<uint64_t, 256>;

// The eight bits of each byte value as eight bytes in memory order.
constexpr ByteTable make_byte_table() {
  static_assert(std::endian::native == std::endian::little);
  ByteTable table{};
  for (uint64_t value = 0; value < 256; ++value)
    for (int bit = 0; bit < 8; ++bit) table[value] |= (value >> bit & 1) << (8 * bit);
  return table;
}

constexpr ByteTable kBytesOfBits = make_byte_table();

}  // namespace

void unpack_bits(std::span<const uint64_t> bits, std::span<uint8_t> bytes) {
  assert(bytes.size() <= bits.size() * 64);
  uint8_t* out = bytes.data();
  const size_t full_words = bytes.size() / 64;
  for (size_t word = 0; word < full_words; ++word)
    for (int shift = 0; shift < 64; shift += 8, out += 8)
      std::memcpy(out, &kBytesOfBits[bits[word] >> shift & 0xff], 8);
  for (size_t bit = 0; bit < bytes.size() % 64; ++bit) *out++ = bits[full_words] >> bit & 1;
}

}  // namespace ippatsu::data
