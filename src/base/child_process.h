#pragma once

// Another program, run with a channel to its standard input and one from its standard output. Its
// standard error is ours.
//
//     ChildProcess worker({own_program(), "bench-worker", "--device", "cpu"});
//     worker.write_line("hello");
//     std::string answer = worker.read_line();

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace ippatsu {

class ChildProcess {
 public:
  // Starts it, without a shell; the command's first word is the path of the program. Fails if it
  // cannot be started. The child ends when the calling thread does, whatever ends that.
  explicit ChildProcess(const std::vector<std::string>& command);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // ends it if it runs still: asks it to first, and kills it after a grace

  // Fail, with the child's fate, if it is gone.
  void write_line(std::string_view line);
  std::string read_line();

  // For whoever talks with several at once, and waits for their channels with poll(2). These two do
  // not wait. Nothing: the child takes, or says, nothing more.
  int input() const { return input_; }
  int output() const { return output_; }
  std::optional<size_t> send_some(std::string_view text);  // how many bytes there was room for
  std::optional<std::string_view> receive_some(std::span<char> room);  // once poll says so

  // "ended early, with status 3". Gives one that has closed its output a moment to end.
  std::string fate();

  // The exit status, as wait() gives it, of one that is known to have ended.
  std::optional<int> exit_status() const;

  // Stops it where it is, with all its threads, and lets it go on. It has stopped when pause()
  // returns.
  void pause();
  void resume();

  // Waits for its end, passing its output through to ours. Gives its exit status; 128 plus the
  // signal's number if a signal ended it, as shells do.
  int wait();

 private:
  void start(const std::vector<std::string>& command);
  size_t read_some();
  size_t read_into(std::span<char> room) const;
  [[noreturn]] void fail_gone();
  void close_input() noexcept;
  void send(int signal) const noexcept;
  void reap() noexcept;
  bool ends_within(std::chrono::milliseconds grace) noexcept;

  std::string name_;
  pid_t pid_ = -1;
  int input_ = -1;                  // its standard input
  int output_ = -1;                 // its standard output
  std::optional<int> wait_status_;  // of waitpid(2), once it has ended
  std::string buffered_;
};

// The program that is running.
std::filesystem::path own_program();

}  // namespace ippatsu
