#include "data/shard_cache.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/log.h"

namespace ippatsu::data {

namespace {

namespace fs = std::filesystem;

std::optional<Shard> open_shard(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    return Shard(path);
  } catch (const Error& error) {
    log().warn("{}; its records are encoded again", error.what());
    return std::nullopt;
  }
}

// The rows of the wanted records: views into `old` and into `fresh`, in the order of keys.
std::vector<SourceRows> merge(const WantedRecords& wanted, const std::optional<Shard>& old,
                              const std::map<SourceKey, EncodedRecord>& fresh) {
  std::vector<SourceRows> merged;
  for (const auto& [key, path] : wanted) {
    if (const SourceRows* rows = old ? old->find(key) : nullptr)
      merged.push_back(*rows);
    else if (const auto found = fresh.find(key); found != fresh.end())
      merged.push_back(found->second.view());
  }
  return merged;
}

}  // namespace

fs::path shard_path(const fs::path& cache, int shard) {
  return cache / fmt::format("{:02x}.shard", shard);
}

std::optional<Shard> update_shard(const fs::path& path, const WantedRecords& wanted,
                                  const OnRecord& on_record) {
  std::optional<Shard> old = open_shard(path);
  std::map<SourceKey, EncodedRecord> fresh;
  for (const auto& [key, source] : wanted) {
    if (old && old->find(key)) {
      on_record(source, Outcome::Cached, "");
      continue;
    }
    try {
      fresh.emplace(key, encode_record(source, key));
      on_record(source, Outcome::Encoded, "");
    } catch (const Error& error) {
      on_record(source, Outcome::Bad, error.what());
    }
  }
  if (fresh.empty()) return old;
  write_shard(path, merge(wanted, old, fresh));
  return Shard(path);
}

}  // namespace ippatsu::data
