#pragma once

// Another program, run with a pipe to its standard input and one from its standard output. Its
// standard error is ours.
//
//     ChildProcess worker({own_program(), "bench-worker", "--device", "cpu"});
//     worker.write_line("hello");
//     std::string answer = worker.read_line();

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace ippatsu {

class ChildProcess {
 public:
  // Starts it, without a shell; the command's first word is the path of the program. Fails if it
  // cannot be started.
  explicit ChildProcess(const std::vector<std::string>& command);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // ends it if it runs still

  // Fail, with the child's fate, if it is gone.
  void write_line(std::string_view line);
  std::string read_line();

  // Stops it where it is, with all its threads, and lets it go on.
  void pause();
  void resume();

  // Waits for its end, passing its output through to ours. Gives its exit status; 128 plus the
  // signal's number if a signal ended it, as shells do.
  int wait();

 private:
  [[noreturn]] void fail_gone();
  void close_input();
  int reap();

  std::string name_;
  pid_t pid_ = -1;
  int input_ = -1;   // its standard input
  int output_ = -1;  // its standard output
  int status_ = 0;
  std::string buffered_;
};

// The program that is running.
std::filesystem::path own_program();

}  // namespace ippatsu
