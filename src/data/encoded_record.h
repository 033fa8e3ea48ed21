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
  std::array<uint64_t, 2> legal;                        // bit i % 64 of word i / 64: action i
  uint64_t action;                                      // the one chosen

  bool is_legal(uint64_t index) const { return legal[index / 64] >> (index % 64) & 1; }
  bool is_discard() const { return action < mahjong::kTiles; }

  friend bool operator==(const Row&, const Row&) = default;
};
static_assert(std::has_unique_object_representations_v<Row>);

// The row of a decision in which `chosen` was chosen.
Row row_of(const mahjong::DecisionView& view, mahjong::Action chosen);

// What a source is known by: its bytes, not its name.
struct SourceKey {
  uint64_t hash = 0;  // ContentHash of the file, packed as it is
  uint64_t bytes = 0;

  friend auto operator<=>(const SourceKey&, const SourceKey&) = default;
};

// Reads the file. Fails where that is not possible.
SourceKey source_key(const std::filesystem::path& path);

// How many rows a game has: first its discards that were a choice, in the order of play, then all
// other choices.
struct GameRows {
  uint32_t discards = 0;
  uint32_t others = 0;

  uint64_t all() const { return uint64_t{discards} + others; }

  friend bool operator==(const GameRows&, const GameRows&) = default;
};

// The rows of one source, game after game.
struct SourceRows {
  SourceKey key;
  std::span<const GameRows> games;
  std::span<const Row> rows;  // as many as all games have
};

// The owner of such rows.
struct EncodedRecord {
  SourceKey key;
  std::vector<GameRows> games;
  std::vector<Row> rows;

  SourceRows view() const { return {key, games, rows}; }
};

// Reads and replays the record at `path`, whose key is known. Fails on one that is broken or that
// holds an impossible event.
EncodedRecord encode_record(const std::filesystem::path& path, SourceKey key);

}  // namespace ippatsu::data
