#include "base/lasting_thread.h"

namespace ippatsu {

LastingThread::LastingThread() : thread_([this] { work(); }) {}

LastingThread::~LastingThread() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  awake_.notify_one();
  thread_.join();
}

void LastingThread::run(const std::function<void()>& task) {
  std::packaged_task<void()> waited(task);
  std::future<void> result = waited.get_future();
  {
    const std::lock_guard lock(mutex_);
    tasks_.push(std::move(waited));
  }
  awake_.notify_one();
  result.get();
}

void LastingThread::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    awake_.wait(lock, [this] { return over_ || !tasks_.empty(); });
    if (over_) return;
    std::packaged_task<void()> task = std::move(tasks_.front());
    tasks_.pop();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace ippatsu
