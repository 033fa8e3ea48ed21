#include "data/permutation.h"

#include <bit>
#include <cassert>

#include "base/error.h"

namespace ippatsu::data {

namespace {

// SplitMix64's output function (Steele, Lea and Flood, 2014).
uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;

}  // namespace

Permutation::Permutation(int64_t size, uint64_t seed, int64_t epoch) : size_(size) {
  if (size < 0) fail("a permutation of {} things is not possible", size);
  const int bits = size < 2 ? 0 : std::bit_width(static_cast<uint64_t>(size - 1));
  half_bits_ = (bits + 1) / 2;
  uint64_t state = mix(seed + kGolden) ^ mix(~static_cast<uint64_t>(epoch));
  for (uint64_t& key : keys_) key = mix(state += kGolden);
}

int64_t Permutation::operator[](int64_t position) const {
  assert(position >= 0 && position < size_);
  uint64_t value = static_cast<uint64_t>(position);
  do {
    value = encrypt(value);
  } while (value >= static_cast<uint64_t>(size_));
  return static_cast<int64_t>(value);
}

uint64_t Permutation::encrypt(uint64_t value) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t left = value >> half_bits_;
  uint64_t right = value & mask;
  for (const uint64_t key : keys_) {
    const uint64_t next = left ^ (mix(right + key) & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

}  // namespace ippatsu::data
