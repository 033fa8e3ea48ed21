#include "data/loader.h"

#include <utility>

#include "base/error.h"

namespace ippatsu::data {

namespace {

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

size_t checked_prefetch(int prefetch) {
  if (prefetch < 1) fail("{} batches cannot be made ahead; give at least 1", prefetch);
  return static_cast<size_t>(prefetch);
}

}  // namespace

Loader::Loader(const Split& split, const BatchOptions& options, int prefetch)
    : Loader(
          [maker = BatchMaker(split, options)](Batch& batch) mutable { return maker.make(batch); },
          prefetch) {}

Loader::Loader(MakeBatch make, int prefetch)
    : make_(std::move(make)), empty_(checked_prefetch(prefetch)), worker_([this] { work(); }) {}

Loader::~Loader() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  emptied_.notify_one();
}

bool Loader::next(Batch& batch) {
  const Clock::time_point begin = Clock::now();
  if (!first_call_) first_call_ = begin;
  const bool given = exchange(batch);
  const Clock::time_point end = Clock::now();
  times_.waited += seconds(end - begin);
  times_.total = seconds(end - *first_call_);
  return given;
}

bool Loader::exchange(Batch& batch) {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, [this] { return !full_.empty() || ended_; });
  if (full_.empty()) {
    if (failure_) std::rethrow_exception(failure_);
    return false;
  }
  std::swap(batch, full_.front());
  empty_.push_back(std::move(full_.front()));
  full_.pop_front();
  emptied_.notify_one();
  return true;
}

void Loader::work() {
  std::exception_ptr failure;
  try {
    make_batches();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  failure_ = failure;
  ended_ = true;
  filled_.notify_one();
}

void Loader::make_batches() {
  for (;;) {
    std::unique_lock lock(mutex_);
    emptied_.wait(lock, [this] { return !empty_.empty() || stopping_; });
    if (stopping_) return;
    Batch batch = std::move(empty_.back());
    empty_.pop_back();
    lock.unlock();
    if (!make_(batch)) return;
    lock.lock();
    full_.push_back(std::move(batch));
    filled_.notify_one();
  }
}

}  // namespace ippatsu::data
