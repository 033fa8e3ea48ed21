#pragma once

// A game record as a model is trained on it: one row a decision.

#include <array>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "mahjong/features.h"

namespace ippatsu::data {

// One decision, as it lies in memory and in a shard.
struct Row {
  std::array<uint64_t, mahjong::kFeatureWords> planes;  // bits, as mahjong::encode writes them
  uint64_t legal;                                       // bit i: action i is legal
  uint64_t action;                                      // the one chosen

  friend bool operator==(const Row&, const Row&) = default;
};
static_assert(std::has_unique_object_representations_v<Row>);

// What a source is known by: its bytes, not its name.
struct SourceKey {
  uint64_t hash = 0;  // ContentHash of the file, packed as it is
  uint64_t bytes = 0;

  friend auto operator<=>(const SourceKey&, const SourceKey&) = default;
};

// Reads the file. Fails where that is not possible.
SourceKey source_key(const std::filesystem::path& path);

// The rows of one source, game after game.
struct SourceRows {
  SourceKey key;
  std::span<const uint32_t> games;  // the number of rows of each
  std::span<const Row> rows;        // as many as all games have
};

// The owner of such rows.
struct EncodedRecord {
  SourceKey key;
  std::vector<uint32_t> games;
  std::vector<Row> rows;

  SourceRows view() const { return {key, games, rows}; }
};

// Reads and replays the record at `path`, whose key is known. Fails on one that is broken or that
// holds an impossible event.
EncodedRecord encode_record(const std::filesystem::path& path, SourceKey key);

}  // namespace ippatsu::data
