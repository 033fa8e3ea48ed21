#pragma once

// The decisions of a set of records, encoded once and kept in a cache folder.
//
//     const Dataset dataset({.cache = "build/cache", .records = record_files(paths)});
//     for (const BadRecord& bad : dataset.bad_records()) log().warn("{}", bad.message);
//     Loader loader(dataset.train(), {.batch_size = 512});
//
// The cache is trusted only as far as its versions, source hashes and checksums go; what does not
// fit is encoded again. A broken record is listed and left out. The order of decisions depends on
// the content of the records alone, not on their names, the threads, or what the cache held before.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/shard.h"
#include "data/split.h"
#include "mahjong/policy.h"

namespace ippatsu::data {

// How far opening a dataset has come, in record files.
struct EncodingProgress {
  int64_t done = 0;     // found in the cache, encoded, or found bad
  int64_t encoded = 0;  // of those, newly
  int64_t total = 0;
};

struct DatasetOptions {
  std::filesystem::path cache;                        // a folder; made where it is missing
  std::vector<std::filesystem::path> records;         // files
  mahjong::Policy policy = mahjong::Policy::Discard;  // whose decisions
  double eval_fraction = 0.05;                        // of the games, 0 <= fraction < 1
  int threads = 1;                                    // that encode, at least 1
  // Called after each file, from one thread at a time but not always the same one.
  std::function<void(const EncodingProgress&)> on_progress;
};

struct BadRecord {
  std::filesystem::path path;
  std::string message;  // one sentence that names the path and the place in it
};

struct DatasetCounts {
  int64_t files = 0;       // given
  int64_t bad_files = 0;   // left out because they are broken
  int64_t duplicates = 0;  // left out because another file has the same content
  int64_t encoded = 0;     // encoded in this run; the others came from the cache
  int64_t games = 0;
  int64_t decisions = 0;
};

class Dataset {
 public:
  // Brings the cache up to date and opens it; returns when all is encoded. Fails when the options
  // make no sense, when the cache cannot be written, and when no record at all could be read.
  explicit Dataset(const DatasetOptions& options);

  // Every game is in one of the two as a whole; which one, its content decides.
  const Split& train() const { return train_; }
  const Split& eval() const { return eval_; }

  const DatasetCounts& counts() const { return counts_; }
  const std::vector<BadRecord>& bad_records() const { return bad_records_; }  // by path

  // Equal for equal decisions in equal splits and order: a run may continue only where this is what
  // it was.
  uint64_t fingerprint() const { return fingerprint_; }

 private:
  void add_source(const SourceRows& source, const DatasetOptions& options);

  std::vector<Shard> shards_;
  Split train_;
  Split eval_;
  DatasetCounts counts_;
  std::vector<BadRecord> bad_records_;
  uint64_t fingerprint_ = mahjong::kFeatureVersion;
};

}  // namespace ippatsu::data
