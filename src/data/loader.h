#pragma once

// Batches made ahead of time by a thread of its own.
//
//     Loader loader(dataset.train(), {.batch_size = 512, .start = checkpoint.position});
//     Batch batch;
//     while (loader.next(batch)) train_on(batch);

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "data/batch.h"

namespace ippatsu::data {

// Where a loader's user spent its time, in seconds from its first call of next() to the end of its
// latest.
struct LoaderTimes {
  double waited = 0;  // inside next()
  double total = 0;

  double wait_share() const { return total > 0 ? waited / total : 0; }
};

// Its user is one thread. What the batches hold does not depend on timing.
class Loader {
 public:
  static constexpr int kPrefetch = 3;  // batches ahead

  // `split` must outlive the loader. Fails as BatchMaker does, and on a prefetch below one.
  Loader(const Split& split, const BatchOptions& options, int prefetch = kPrefetch);

  // From a function that makes the next batch in the memory it is given, or returns false at the
  // end. It is called by the loader's thread only.
  using MakeBatch = std::function<bool(Batch&)>;
  Loader(MakeBatch make, int prefetch);

  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader();  // waits for the batch in work

  // Gives the next batch, and takes back the memory of the one in `batch`. False, with `batch` as
  // it was, at the end. Throws what the making of a batch threw, after the batches made before it.
  bool next(Batch& batch);

  LoaderTimes times() const { return times_; }

 private:
  using Clock = std::chrono::steady_clock;

  void work();
  void make_batches();
  bool exchange(Batch& batch);

  MakeBatch make_;

  std::mutex mutex_;
  std::condition_variable filled_;   // full_ or ended_ changed
  std::condition_variable emptied_;  // empty_ or stopping_ changed
  std::deque<Batch> full_;
  std::vector<Batch> empty_;  // with full_ and the one in work: as many as are made ahead
  bool ended_ = false;        // no further batch will be made
  bool stopping_ = false;     // none is wanted
  std::exception_ptr failure_;

  std::optional<Clock::time_point> first_call_;
  LoaderTimes times_;

  std::jthread worker_;  // last, so that all it uses is there before and after it
};

}  // namespace ippatsu::data
