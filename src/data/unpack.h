#pragma once

// Bits to bytes, eight at a time.

#include <cstdint>
#include <span>

namespace ippatsu::data {

// Writes bits.size() * 64 bits at most, one a byte (0 or 1): bytes[i] becomes bit i % 64 of word
// i / 64. As many as `bytes` has room for; it must not have more room than there are bits.
void unpack_bits(std::span<const uint64_t> bits, std::span<uint8_t> bytes);

}  // namespace ippatsu::data
