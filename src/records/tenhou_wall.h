#pragma once

// The walls of a game at Tenhou, from the seed in its log.
//
// Tenhou publishes the method (http://blog.tenhou.net/article/30503297.html): the words of a
// Mersenne Twister with a seed of 624 words, hashed by SHA-512, drive a Fisher-Yates shuffle.

#include <array>
#include <cstdint>
#include <string_view>

#include "mahjong/wall.h"

namespace ippatsu::mahjong {

// MT19937 seeded by an array (Matsumoto and Nishimura: Mersenne Twister, 1998; init_by_array of
// 2002), which the standard library's engine has no way to be given.
class MersenneTwister {
 public:
  static constexpr size_t kWords = 624;

  explicit MersenneTwister(const std::array<uint32_t, kWords>& key);

  uint32_t next();

 private:
  void twist();

  std::array<uint32_t, kWords> state_;
  size_t used_ = kWords;
};

// How a seed of this kind begins; base64 of the 624 words follows.
inline constexpr std::string_view kTenhouSeed = "mt19937ar-sha512-n288-base64,";

class TenhouWalls {
 public:
  // `seed` as the log has it. Fails on one of another kind.
  explicit TenhouWalls(std::string_view seed);

  // The wall of the next round, repeats counted as rounds of their own.
  Wall next(bool red_fives);

 private:
  MersenneTwister twister_;
};

}  // namespace ippatsu::mahjong
