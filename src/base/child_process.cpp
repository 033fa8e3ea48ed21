#include "base/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

extern char** environ;

namespace ippatsu {

namespace {

// How long a child that is told to end may take before it is ended.
constexpr int kGraceMilliseconds = 2000;

struct Pipe {
  int read;
  int write;
};

Pipe make_pipe() {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
  return {ends[0], ends[1]};
}

pid_t spawn(const std::vector<std::string>& command, int input, int output) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("cannot start {}: {}", command[0], std::strerror(error));
  return pid;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command) : name_(command.at(0)) {
  // A child that is gone must end in an error here, not in a signal.
  std::signal(SIGPIPE, SIG_IGN);
  const Pipe input = make_pipe(), output = make_pipe();
  input_ = input.write;
  output_ = output.read;
  try {
    pid_ = spawn(command, input.read, output.write);
  } catch (...) {
    for (const int end : {input.read, input.write, output.read, output.write}) ::close(end);
    throw;
  }
  ::close(input.read);
  ::close(output.write);
}

ChildProcess::~ChildProcess() {
  close_input();
  if (pid_ > 0) {
    ::kill(pid_, SIGTERM);
    ::kill(pid_, SIGCONT);
    pollfd ended{.fd = output_, .events = 0, .revents = 0};
    if (::poll(&ended, 1, kGraceMilliseconds) <= 0) ::kill(pid_, SIGKILL);
    reap();
  }
  ::close(output_);
}

void ChildProcess::write_line(std::string_view line) {
  std::string rest(line);
  rest += '\n';
  while (!rest.empty()) {
    const ssize_t written = ::write(input_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_gone();
    rest.erase(0, static_cast<size_t>(written));
  }
}

std::string ChildProcess::read_line() {
  for (;;) {
    if (const size_t end = buffered_.find('\n'); end != std::string::npos) {
      std::string line = buffered_.substr(0, end);
      buffered_.erase(0, end + 1);
      return line;
    }
    std::array<char, 4096> chunk;
    const ssize_t count = ::read(output_, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail_gone();
    buffered_.append(chunk.data(), static_cast<size_t>(count));
  }
}

void ChildProcess::pause() { ::kill(pid_, SIGSTOP); }
void ChildProcess::resume() { ::kill(pid_, SIGCONT); }

int ChildProcess::wait() {
  close_input();
  std::fwrite(buffered_.data(), 1, buffered_.size(), stdout);
  std::array<char, 4096> chunk;
  for (;;) {
    const ssize_t count = ::read(output_, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    std::fwrite(chunk.data(), 1, static_cast<size_t>(count), stdout);
  }
  return reap();
}

int ChildProcess::reap() {
  if (pid_ < 0) return status_;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return status_;
}

void ChildProcess::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

void ChildProcess::fail_gone() {
  close_input();
  fail("{} ended early, with status {}", name_, reap());
}

std::filesystem::path own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

}  // namespace ippatsu
