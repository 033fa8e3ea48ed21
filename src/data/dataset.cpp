#include "data/dataset.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "data/content_hash.h"
#include "data/shard_cache.h"

namespace ippatsu::data {

namespace {

namespace fs = std::filesystem;

constexpr int kShards = 256;

// Calls work(0) .. work(count - 1) from several threads; throws what the first to fail threw, once
// all threads have ended.
void for_each_index(int threads, size_t count, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&] {
    try {
      for (size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    const size_t wanted = std::min(static_cast<size_t>(threads), count);
    for (size_t i = 1; i < wanted; ++i) others.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

// Gathers what the encoding threads report.
class Report {
 public:
  Report(int64_t total, const std::function<void(const EncodingProgress&)>& on_progress)
      : on_progress_(on_progress) {
    progress_.total = total;
  }

  void add(const fs::path& path, Outcome outcome, std::string message) {
    const std::lock_guard lock(mutex_);
    ++progress_.done;
    if (outcome == Outcome::Encoded) ++progress_.encoded;
    if (outcome == Outcome::Bad) bad_.push_back({path, std::move(message)});
    if (on_progress_) on_progress_(progress_);
  }

  int64_t encoded() const { return progress_.encoded; }

  std::vector<BadRecord> take_bad_records() {
    std::ranges::sort(bad_, {}, &BadRecord::path);
    return std::move(bad_);
  }

 private:
  const std::function<void(const EncodingProgress&)>& on_progress_;
  std::mutex mutex_;
  EncodingProgress progress_;
  std::vector<BadRecord> bad_;
};

void check_options(const DatasetOptions& options) {
  if (options.records.empty()) fail("the dataset is empty: no game records were given");
  if (!(options.eval_fraction >= 0 && options.eval_fraction < 1))
    fail("the share of games for evaluation is {}; it must be at least 0 and less than 1",
         options.eval_fraction);
  if (options.threads < 1)
    fail("{} threads cannot encode records; give at least 1", options.threads);
}

void make_cache_folder(const fs::path& cache) {
  std::error_code error;
  fs::create_directories(cache, error);
  if (error) fail("{}: the cache folder cannot be made: {}", cache.string(), error.message());
}

std::vector<fs::path> distinct(std::vector<fs::path> paths) {
  std::ranges::sort(paths);
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

// The records by shard and content; of files with equal content the first by name.
std::array<WantedRecords, kShards> group_by_content(const std::vector<fs::path>& files, int threads,
                                                    Report& report) {
  std::vector<std::optional<SourceKey>> keys(files.size());
  for_each_index(threads, files.size(), [&](size_t i) {
    try {
      keys[i] = source_key(files[i]);
    } catch (const Error& error) {
      report.add(files[i], Outcome::Bad, error.what());
    }
  });
  std::array<WantedRecords, kShards> wanted;
  for (size_t i = 0; i < files.size(); ++i)
    if (keys[i] && !wanted[shard_of(*keys[i])].emplace(*keys[i], files[i]).second)
      report.add(files[i], Outcome::Cached, "");
  return wanted;
}

bool is_for_eval(SourceKey key, uint64_t game, double fraction) {
  const uint64_t hash = ContentHash().add_value(key).add_value(game).value();
  return std::ldexp(static_cast<double>(hash >> 11), -53) < fraction;
}

}  // namespace

Dataset::Dataset(const DatasetOptions& options) {
  check_options(options);
  make_cache_folder(options.cache);
  const std::vector<fs::path> files = distinct(options.records);
  Report report(static_cast<int64_t>(files.size()), options.on_progress);
  const auto wanted = group_by_content(files, options.threads, report);
  if (options.policy == mahjong::Policy::Full) fingerprint_ = ~fingerprint_;
  std::vector<std::optional<Shard>> shards(kShards);
  for_each_index(options.threads, kShards, [&](size_t i) {
    if (wanted[i].empty()) return;
    shards[i] = update_shard(shard_path(options.cache, static_cast<int>(i)), wanted[i],
                             [&](const fs::path& path, Outcome outcome, std::string message) {
                               report.add(path, outcome, std::move(message));
                             });
  });

  int64_t used = 0;
  for (int i = 0; i < kShards; ++i) {
    if (!shards[i]) continue;
    shards_.push_back(std::move(*shards[i]));
    for (const auto& [key, path] : wanted[i])
      if (const SourceRows* source = shards_.back().find(key)) {
        add_source(*source, options);
        ++used;
      }
  }
  bad_records_ = report.take_bad_records();
  counts_.files = static_cast<int64_t>(files.size());
  counts_.bad_files = static_cast<int64_t>(bad_records_.size());
  counts_.duplicates = counts_.files - counts_.bad_files - used;
  counts_.encoded = report.encoded();
  if (used == 0)
    fail("none of the {} records could be read; the first: {}", files.size(),
         bad_records_.front().message);
}

void Dataset::add_source(const SourceRows& source, const DatasetOptions& options) {
  const bool all = options.policy == mahjong::Policy::Full;
  auto rows = source.rows;
  for (size_t game = 0; game < source.games.size(); ++game) {
    const GameRows& counts = source.games[game];
    const uint64_t wanted = all ? counts.all() : counts.discards;
    const bool eval = is_for_eval(source.key, game, options.eval_fraction);
    (eval ? eval_ : train_).add_game(rows.first(wanted));
    rows = rows.subspan(counts.all());
    fingerprint_ = ContentHash(fingerprint_, eval).add_value(source.key).value();
    counts_.decisions += static_cast<int64_t>(wanted);
  }
  counts_.games += static_cast<int64_t>(source.games.size());
}

}  // namespace ippatsu::data
