#pragma once

// A random order of n things without a list of them.
//
// A keyed bijection on [0, n): a balanced Feistel network (Luby and Rackoff, 1988) over the next
// even power of two, repeated until the result falls below n, "cycle walking" (Black and Rogaway,
// "Ciphers with Arbitrary Finite Domains", 2002). The domain is less than four times n, so a
// look-up walks less than four steps on average.

#include <array>
#include <cstdint>

namespace ippatsu::data {

class Permutation {
 public:
  // The order of `size` things in one epoch under one seed; the same on every machine.
  // Fails on a negative size.
  Permutation(int64_t size, uint64_t seed, int64_t epoch);

  int64_t size() const { return size_; }

  // The thing at `position`, 0 <= position < size.
  int64_t operator[](int64_t position) const;

 private:
  static constexpr int kRounds = 6;
  uint64_t encrypt(uint64_t value) const;

  int64_t size_;
  int half_bits_;
  std::array<uint64_t, kRounds> keys_;
};

}  // namespace ippatsu::data
