#pragma once

// A thread that lasts as long as its owner, for what is bound to the thread that does it: a child
// process ends with the thread that started it (child_process.h).

#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>

namespace ippatsu {

class LastingThread {
 public:
  LastingThread();
  LastingThread(const LastingThread&) = delete;
  LastingThread& operator=(const LastingThread&) = delete;
  ~LastingThread();

  // Runs the task there and waits for it; what it throws is thrown here.
  void run(const std::function<void()>& task);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable awake_;
  std::queue<std::packaged_task<void()>> tasks_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace ippatsu
