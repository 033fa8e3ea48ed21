#include "base/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

namespace ippatsu {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGrace{2000};  // for a child that is told to end, before it is killed
constexpr milliseconds kPoll{5};
constexpr int kCannotStart = 127;  // a shell's exit status for this

struct Channel {
  int ours;
  int childs;
};

// A socket: writing to one can be told to fail with an error where a pipe would raise SIGPIPE.
Channel input_channel() {
  std::array<int, 2> ends;
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    fail("cannot make a socket: {}", std::strerror(errno));
  return {ends[0], ends[1]};
}

Channel output_channel() {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
  return {ends[0], ends[1]};
}

// The child between fork and exec, where only async-signal-safe calls are allowed. The channels lie
// above the standard descriptors, which every process is started with.
[[noreturn]] void become(char* const* command, int input, int output, int failure, pid_t parent) {
  // Even a child that is stopped does not outlive a parent that was killed.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kCannotStart);
  if (::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0)
    ::execv(command[0], command);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(failure, &error, sizeof error);
  ::_exit(kCannotStart);
}

// The errno with which the child failed to become another program, or 0: exec closes the channel.
int start_failure(int failure) {
  int error = 0;
  while (::read(failure, &error, sizeof error) < 0 && errno == EINTR) {
  }
  return error;
}

std::string in_words(int wait_status) {
  if (WIFSIGNALED(wait_status))
    return fmt::format("signal {} ({})", WTERMSIG(wait_status), ::strsignal(WTERMSIG(wait_status)));
  return fmt::format("status {}", WEXITSTATUS(wait_status));
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  if (command.empty()) fail("there is no command to run");
  name_ = std::filesystem::path(command[0]).filename().string();
  start(command);
}

void ChildProcess::start(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const Channel input = input_channel(), output = output_channel(), failure = output_channel();
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) become(words.data(), input.childs, output.childs, failure.childs, parent);
  int error = pid_ < 0 ? errno : 0;
  for (const int end : {input.childs, output.childs, failure.childs}) ::close(end);
  if (error == 0) error = start_failure(failure.ours);
  ::close(failure.ours);
  input_ = input.ours;
  output_ = output.ours;
  if (error == 0) return;
  close_input();
  ::close(output_);
  if (pid_ > 0) reap();
  fail("cannot start {}: {}", command[0], std::strerror(error));
}

ChildProcess::~ChildProcess() {
  close_input();
  send(SIGTERM);
  send(SIGCONT);
  if (!ends_within(kGrace)) send(SIGKILL);
  reap();
  ::close(output_);
}

void ChildProcess::write_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t sent = ::send(input_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) fail_gone();
    rest.remove_prefix(static_cast<size_t>(sent));
  }
}

std::optional<size_t> ChildProcess::send_some(std::string_view text) {
  for (;;) {
    const ssize_t sent = ::send(input_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return static_cast<size_t>(sent);
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    if (errno != EINTR) return std::nullopt;
  }
}

std::optional<std::string_view> ChildProcess::receive_some(std::span<char> room) {
  const size_t count = read_into(room);
  if (count == 0) return std::nullopt;
  return std::string_view(room.data(), count);
}

std::string ChildProcess::read_line() {
  size_t searched = 0;
  for (;;) {
    if (const size_t end = buffered_.find('\n', searched); end != std::string::npos) {
      std::string line = buffered_.substr(0, end);
      buffered_.erase(0, end + 1);
      return line;
    }
    searched = buffered_.size();
    if (read_some() == 0) fail_gone();
  }
}

// Appends to what is buffered, and says how many bytes: 0 at the end of the child's output.
size_t ChildProcess::read_some() {
  std::array<char, 1 << 14> chunk;
  const size_t count = read_into(chunk);
  buffered_.append(chunk.data(), count);
  return count;
}

size_t ChildProcess::read_into(std::span<char> room) const {
  for (;;) {
    const ssize_t count = ::read(output_, room.data(), room.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) fail("cannot read what {} says: {}", name_, std::strerror(errno));
  }
}

void ChildProcess::pause() {
  send(SIGSTOP);
  if (wait_status_) return;
  // The signal is only on its way yet.
  siginfo_t info;
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
}

void ChildProcess::resume() { send(SIGCONT); }

int ChildProcess::wait() {
  close_input();
  resume();
  do {
    std::fwrite(buffered_.data(), 1, buffered_.size(), stdout);
    buffered_.clear();
  } while (!wait_status_ && read_some() > 0);
  reap();
  return *exit_status();
}

std::optional<int> ChildProcess::exit_status() const {
  if (!wait_status_) return std::nullopt;
  const int status = *wait_status_;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void ChildProcess::close_input() noexcept {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

// The number of a child that was reaped may be another process's by now.
void ChildProcess::send(int signal) const noexcept {
  if (!wait_status_) ::kill(pid_, signal);
}

void ChildProcess::reap() noexcept {
  if (wait_status_) return;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  wait_status_ = status;
}

bool ChildProcess::ends_within(milliseconds grace) noexcept {
  const auto deadline = std::chrono::steady_clock::now() + grace;
  for (int status = 0; !wait_status_; std::this_thread::sleep_for(kPoll)) {
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      wait_status_ = status;
      break;
    }
    if (std::chrono::steady_clock::now() >= deadline) return false;
  }
  return true;
}

std::string ChildProcess::fate() {
  close_input();
  if (!ends_within(kGrace)) return "runs on but speaks no more";
  return "ended early, with " + in_words(*wait_status_);
}

void ChildProcess::fail_gone() { fail("{} {}", name_, fate()); }

std::filesystem::path own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

}  // namespace ippatsu
