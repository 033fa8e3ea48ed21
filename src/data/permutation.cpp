#include "data/permutation.h"

#include <bit>
#include <cassert>

#include "base/error.h"
#include "base/split_mix.h"

namespace ippatsu::data {

Permutation::Permutation(int64_t size, uint64_t seed, int64_t epoch) : size_(size) {
  if (size < 0) fail("a permutation of {} things is not possible", size);
  const int bits = size < 2 ? 0 : std::bit_width(static_cast<uint64_t>(size - 1));
  half_bits_ = (bits + 1) / 2;
  SplitMix64 random(SplitMix64(seed).next() ^ SplitMix64::mix(~static_cast<uint64_t>(epoch)));
  for (uint64_t& key : keys_) key = random.next();
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
    const uint64_t next = left ^ (SplitMix64::mix(right + key) & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

}  // namespace ippatsu::data
