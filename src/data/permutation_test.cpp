#include "data/permutation.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu::data {

namespace {

std::vector<int64_t> order(int64_t size, uint64_t seed, int64_t epoch) {
  const Permutation permutation(size, seed, epoch);
  std::vector<int64_t> result;
  for (int64_t i = 0; i < size; ++i) result.push_back(permutation[i]);
  return result;
}

}  // namespace

TEST(Permutation, HasEveryThingOnce) {
  for (const int64_t size :
       {0, 1, 2, 3, 4, 5, 7, 16, 17, 63, 64, 65, 97, 1000, 4096, 7919, 65537}) {
    for (const uint64_t seed : {0ull, 1ull, ~0ull}) {
      std::vector<int64_t> sorted = order(size, seed, 3);
      std::sort(sorted.begin(), sorted.end());
      std::vector<int64_t> all(size);
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(sorted, all) << "size " << size << ", seed " << seed;
    }
  }
}

TEST(Permutation, StaysInRangeForTheLargestSizes) {
  const int64_t size = (int64_t{1} << 62) - 57;
  const Permutation permutation(size, 1, 0);
  for (const int64_t position : {int64_t{0}, size / 2, size - 1}) {
    EXPECT_GE(permutation[position], 0);
    EXPECT_LT(permutation[position], size);
  }
}

TEST(Permutation, DiffersBySeedAndByEpoch) {
  const auto base = order(1000, 1, 0);
  for (const auto& other : {order(1000, 2, 0), order(1000, 1, 1), order(1000, 0, 1)}) {
    int64_t equal = 0;
    for (size_t i = 0; i < base.size(); ++i) equal += base[i] == other[i];
    EXPECT_LT(equal, 10);  // about one is expected
  }
}

// Every thing should come to every place equally often. Chi-square with (n-1)^2 degrees of freedom
// has mean (n-1)^2 and standard deviation (n-1) sqrt 2; six of them are allowed.
TEST(Permutation, IsUniformOverSeeds) {
  constexpr int64_t kSize = 29;
  constexpr int kSeeds = 5800;
  std::vector<int> counts(kSize * kSize);
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Permutation permutation(kSize, seed, 0);
    for (int64_t i = 0; i < kSize; ++i) ++counts[i * kSize + permutation[i]];
  }
  const double expected = double(kSeeds) / kSize;
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - expected) * (count - expected) / expected;
  const double degrees = (kSize - 1) * (kSize - 1);
  EXPECT_NEAR(chi_square, degrees, 6 * (kSize - 1) * 1.42);
}

// Neighbours must not stay neighbours: steps between successive things are as long as chance makes
// them, a third of the size on average.
TEST(Permutation, TearsNeighboursApart) {
  const auto shuffled = order(100'000, 9, 0);
  double steps = 0;
  for (size_t i = 1; i < shuffled.size(); ++i) steps += std::abs(shuffled[i] - shuffled[i - 1]);
  EXPECT_NEAR(steps / shuffled.size() / shuffled.size(), 1.0 / 3, 0.01);
}

// A checkpoint holds a position, so the order must never change between versions. The values come
// from a second implementation, in another language.
TEST(Permutation, KeepsItsOrderForEver) {
  EXPECT_THAT(order(10, 42, 0), testing::ElementsAre(7, 8, 9, 5, 6, 0, 1, 4, 3, 2));
  EXPECT_EQ(Permutation(1'000'003, 7, 5)[123'456], 819'464);
}

TEST(Permutation, RefusesANegativeSize) { EXPECT_THROW(Permutation(-1, 0, 0), Error); }

}  // namespace ippatsu::data
