#pragma once

// A shard: one file with the rows of many sources, mapped into memory.
//
//     header    magic, format and feature version, size of a row, counts, checksum
//     sources   key, number of games, number of rows, for each source, in ascending order of keys
//     games     number of rows of each game, discards and others, source after source
//     rows      source after source
//
// All numbers as the machine that wrote it holds them: a cache, not an exchange format. A shard
// that was cut short, damaged or written by another version is never read as if it were whole.

#include <filesystem>
#include <span>
#include <vector>

#include "base/file.h"
#include "data/encoded_record.h"

namespace ippatsu::data {

// Raised when the layout above or the meaning of a row changes; mahjong::kFeatureVersion is kept
// beside it.
inline constexpr uint32_t kShardVersion = 2;

class Shard {
 public:
  // Maps the file and checks all of it: versions, sizes, checksum, and that each row's action is
  // legal. Fails with the reason.
  explicit Shard(const std::filesystem::path& path);

  // In ascending order of keys; valid as long as the shard (moving it does no harm).
  std::span<const SourceRows> sources() const { return sources_; }

  // The rows of one source; null where the shard lacks it.
  const SourceRows* find(SourceKey key) const;

 private:
  MappedFile file_;
  std::vector<SourceRows> sources_;
};

// Writes a shard in one step: a reader finds the old file or the new one, whole. `sources` are in
// ascending order of keys, each once.
void write_shard(const std::filesystem::path& path, std::span<const SourceRows> sources);

}  // namespace ippatsu::data
