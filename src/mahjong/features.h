#pragma once

// What a model sees of a decision: kPlanes binary planes of kKinds columns, from the seat that is
// to choose. Only what that seat can see goes in. docs/features.md lists the planes.
//
// Version history: 1, discards; 2, every choice: what else is legal, the tile on offer, own waits;
// 3, where the hand is going: shanten, what each discard and call leads to.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "mahjong/table.h"

namespace ippatsu::mahjong {

inline constexpr int kFeatureVersion = 3;
inline constexpr int kPlanes = 142;
inline constexpr int kFeatureBits = kPlanes * kKinds;
inline constexpr int kFeatureWords = (kFeatureBits + 63) / 64;

// Writes all planes: bit `plane * kKinds + kind`, bit i being bit i % 64 of word i / 64. The bits
// past kFeatureBits are 0. `bits` has kFeatureWords words.
void encode(const DecisionView& view, std::span<uint64_t> bits);

// A run of planes and what they hold, as in docs/features.md.
struct FeatureGroup {
  std::string_view name;
  int first;
  int count;
};

// All groups, in order, without gaps.
std::span<const FeatureGroup> feature_groups();

}  // namespace ippatsu::mahjong
