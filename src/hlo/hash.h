#pragma once

// The mixing step of every structural hash: fold one word into a running hash by a 64x64->128 bit
// multiplication, as wyhash does (W. Yi, "wyhash", 2019, public domain).

#include <cstdint>

namespace ippatsu::hlo {

inline constexpr uint64_t kHashSeed = 0x9e3779b97f4a7c15;

inline uint64_t mix(uint64_t hash, uint64_t word, uint64_t key = 0xa0761d6478bd642f) {
  const auto product =
      static_cast<unsigned __int128>(hash ^ word ^ key) * (word ^ 0xe7037ed1a0b428db);
  return (hash << 7 | hash >> 57) ^ static_cast<uint64_t>(product) ^
         static_cast<uint64_t>(product >> 64);
}

}  // namespace ippatsu::hlo
