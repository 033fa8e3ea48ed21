#include "records/tenhou_wall.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include <openssl/evp.h>
#include <openssl/sha.h>

#include "base/error.h"

namespace ippatsu::mahjong {

namespace {

static_assert(std::endian::native == std::endian::little, "the seed's words are little endian");

// Each hash takes 32 random words and gives 16.
constexpr size_t kHashes = 9;
constexpr size_t kHashedWords = SHA512_DIGEST_LENGTH / sizeof(uint32_t);
constexpr size_t kSourceWords = 2 * kHashes * kHashedWords;

using Key = std::array<uint32_t, MersenneTwister::kWords>;

Key key_of(std::string_view seed) {
  if (!seed.starts_with(kTenhouSeed))
    fail("the wall's seed '{}' is not of the kind '{}...'", seed.substr(0, 40), kTenhouSeed);
  seed.remove_prefix(kTenhouSeed.size());
  constexpr size_t kBytes = sizeof(Key);
  if (seed.size() != (kBytes + 2) / 3 * 4)
    fail("the wall's seed has {} letters, not {}", seed.size(), (kBytes + 2) / 3 * 4);
  std::vector<unsigned char> bytes(seed.size());
  const int decoded =
      EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(seed.data()),
                      static_cast<int>(seed.size()));
  if (decoded < 0) fail("the wall's seed is no base64");
  Key key;
  std::memcpy(key.data(), bytes.data(), kBytes);
  return key;
}

}  // namespace

MersenneTwister::MersenneTwister(const std::array<uint32_t, kWords>& key) {
  constexpr uint32_t kFirst = 19650218;
  const auto stirred = [&](size_t i) { return state_[i - 1] ^ (state_[i - 1] >> 30); };
  state_[0] = kFirst;
  for (uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253U * stirred(i) + i;
  size_t i = 1;
  const auto advance = [&] {
    if (++i < kWords) return;
    state_[0] = state_[kWords - 1];
    i = 1;
  };
  for (uint32_t j = 0; j < kWords; ++j, advance())
    state_[i] = (state_[i] ^ stirred(i) * 1664525U) + key[j] + j;
  for (size_t k = 1; k < kWords; ++k, advance())
    state_[i] = (state_[i] ^ stirred(i) * 1566083941U) - static_cast<uint32_t>(i);
  state_[0] = 0x80000000U;
}

void MersenneTwister::twist() {
  constexpr size_t kMiddle = 397;
  for (size_t i = 0; i < kWords; ++i) {
    const uint32_t joined = (state_[i] & 0x80000000U) | (state_[(i + 1) % kWords] & 0x7fffffffU);
    state_[i] = state_[(i + kMiddle) % kWords] ^ (joined >> 1) ^ (joined & 1 ? 0x9908b0dfU : 0);
  }
  used_ = 0;
}

uint32_t MersenneTwister::next() {
  if (used_ == kWords) twist();
  uint32_t word = state_[used_++];
  word ^= word >> 11;
  word ^= (word << 7) & 0x9d2c5680U;
  word ^= (word << 15) & 0xefc60000U;
  return word ^ (word >> 18);
}

TenhouWalls::TenhouWalls(std::string_view seed) : twister_(key_of(seed)) {}

Wall TenhouWalls::next(bool red_fives) {
  std::array<uint32_t, kSourceWords> source;
  for (uint32_t& word : source) word = twister_.next();
  std::array<uint32_t, kHashes * kHashedWords> random;
  for (size_t i = 0; i < kHashes; ++i)
    SHA512(reinterpret_cast<const unsigned char*>(&source[2 * i * kHashedWords]),
           2 * SHA512_DIGEST_LENGTH, reinterpret_cast<unsigned char*>(&random[i * kHashedWords]));
  std::array<int, kWallTiles> ids;
  std::iota(ids.begin(), ids.end(), 0);
  for (size_t i = 0; i + 1 < kWallTiles; ++i)
    std::swap(ids[i], ids[i + random[i] % (kWallTiles - i)]);
  // Tenhou deals from the end.
  std::array<Tile, kWallTiles> tiles;
  std::transform(ids.rbegin(), ids.rend(), tiles.begin(),
                 [&](int id) { return tile_from_tenhou_id(id, red_fives); });
  return Wall(tiles);
}

}  // namespace ippatsu::mahjong
