#include "data/content_hash.h"

#include <vector>

#include <gtest/gtest.h>

namespace ippatsu::data {

namespace {

// The key and inputs of the vectors published with SipHash: bytes 0, 1, 2, ...
constexpr uint64_t kKey0 = 0x0706050403020100;
constexpr uint64_t kKey1 = 0x0f0e0d0c0b0a0908;

std::vector<std::byte> counting(size_t size) {
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(i));
  return bytes;
}

}  // namespace

TEST(ContentHash, GivesThePublishedVectors) {
  struct Vector {
    size_t size;
    uint64_t hash;
  };
  // Reference implementation's vectors_sip64, first byte lowest; size 15 is the paper's appendix A.
  for (const auto& [size, hash] : {
           Vector{0, 0x726fdb47dd0e0e31},
           Vector{1, 0x74f839c593dc67fd},
           Vector{7, 0xab0200f58b01d137},
           Vector{8, 0x93f5f5799a932462},
           Vector{15, 0xa129ca6149be45e5},
       })
    EXPECT_EQ(ContentHash(kKey0, kKey1).add(counting(size)).value(), hash) << size << " bytes";
}

TEST(ContentHash, DoesNotDependOnHowTheBytesAreCut) {
  const std::vector<std::byte> bytes = counting(40);
  const uint64_t whole = ContentHash().add(bytes).value();
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    ContentHash hash;
    hash.add(std::span(bytes).first(cut)).add(std::span(bytes).subspan(cut));
    EXPECT_EQ(hash.value(), whole) << "cut at " << cut;
  }
}

}  // namespace ippatsu::data
