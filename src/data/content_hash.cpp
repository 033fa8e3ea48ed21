#include "data/content_hash.h"

#include <bit>
#include <cstring>

namespace ippatsu::data {

ContentHash::ContentHash(uint64_t key0, uint64_t key1)
    : state_{key0 ^ 0x736f6d6570736575, key1 ^ 0x646f72616e646f6d, key0 ^ 0x6c7967656e657261,
             key1 ^ 0x7465646279746573} {}

void ContentHash::round(State& state) {
  auto& [v0, v1, v2, v3] = state;
  v0 += v1;
  v2 += v3;
  v1 = std::rotl(v1, 13) ^ v0;
  v3 = std::rotl(v3, 16) ^ v2;
  v0 = std::rotl(v0, 32);
  v2 += v1;
  v0 += v3;
  v1 = std::rotl(v1, 17) ^ v2;
  v3 = std::rotl(v3, 21) ^ v0;
  v2 = std::rotl(v2, 32);
}

void ContentHash::absorb(State& state, uint64_t word) {
  state[3] ^= word;
  round(state);
  round(state);
  state[0] ^= word;
}

ContentHash& ContentHash::add(std::span<const std::byte> bytes) {
  static_assert(std::endian::native == std::endian::little);
  State state = state_;
  const auto add_byte = [&](std::byte byte) {
    pending_ |= std::to_integer<uint64_t>(byte) << (size_ % 8 * 8);
    if (++size_ % 8 != 0) return;
    absorb(state, pending_);
    pending_ = 0;
  };
  while (!bytes.empty() && size_ % 8 != 0) {
    add_byte(bytes.front());
    bytes = bytes.subspan(1);
  }
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    absorb(state, word);
    size_ += 8;
  }
  for (const std::byte byte : bytes) add_byte(byte);
  state_ = state;
  return *this;
}

uint64_t ContentHash::value() const {
  State state = state_;
  absorb(state, pending_ | size_ << 56);
  state[2] ^= 0xff;
  for (int i = 0; i < 4; ++i) round(state);
  return state[0] ^ state[1] ^ state[2] ^ state[3];
}

}  // namespace ippatsu::data
