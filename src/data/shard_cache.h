#pragma once

// A folder of shards, kept up to date with the records that are wanted.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/shard.h"

namespace ippatsu::data {

// The wanted records of one shard by their content.
using WantedRecords = std::map<SourceKey, std::filesystem::path>;

// The shard that a record belongs to: the highest byte of its hash, so that a cache of any size has
// at most 256 files, and shard after shard the keys ascend.
inline int shard_of(SourceKey key) { return static_cast<int>(key.hash >> 56); }

std::filesystem::path shard_path(const std::filesystem::path& cache, int shard);

// What became of one record.
enum class Outcome { Cached, Encoded, Bad };
using OnRecord = std::function<void(const std::filesystem::path&, Outcome, std::string message)>;

// Opens the shard at `path` with at least the wanted records that can be read; nothing where none
// can. Encodes those that it lacks and writes it anew if there are any, without what is no longer
// wanted. A shard that is damaged or of another version is encoded again as a whole. `on_record` is
// called once for each wanted record. Fails when the cache cannot be written.
std::optional<Shard> update_shard(const std::filesystem::path& path, const WantedRecords& wanted,
                                  const OnRecord& on_record);

}  // namespace ippatsu::data
