#pragma once

// SplitMix64 (Steele, Lea and Flood: Fast Splittable Pseudorandom Number Generators, 2014): a
// stream of 64-bit numbers from one, the same on every machine.

#include <cstdint>

namespace ippatsu {

class SplitMix64 {
 public:
  static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio

  explicit constexpr SplitMix64(uint64_t state) : state_(state) {}

  // Turns numbers that are close together into ones that look unrelated.
  static constexpr uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  constexpr uint64_t next() { return mix(state_ += kStep); }

  // Uniform in [0, n): the high half of a product of 32 by 32 bits, drawing again what would favour
  // some (Lemire: Fast Random Integer Generation in an Interval, 2019).
  constexpr uint32_t below(uint32_t n) {
    uint64_t product = (next() >> 32) * n;
    const uint32_t favoured = -n % n;
    while (static_cast<uint32_t>(product) < favoured) product = (next() >> 32) * n;
    return static_cast<uint32_t>(product >> 32);
  }

 private:
  uint64_t state_;
};

}  // namespace ippatsu
