#include "base/child_process.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"

namespace ippatsu {

namespace {

using namespace std::chrono_literals;

using testing::ThrowsMessage;

std::vector<std::string> shell(std::string script) { return {"/bin/sh", "-c", std::move(script)}; }

// The kernel's letter for what a process does: R runs, T is stopped, Z has ended but was not waited
// for, ... (proc(5)); '-' where there is no such process.
char state_of(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text;
  if (!std::getline(file, text)) return '-';
  return text[text.rfind(')') + 2];
}

bool ends_within(const std::string& pid, std::chrono::milliseconds limit) {
  for (const auto deadline = std::chrono::steady_clock::now() + limit;
       std::chrono::steady_clock::now() < deadline; std::this_thread::sleep_for(5ms))
    if (const char state = state_of(pid); state == '-' || state == 'Z') return true;
  return false;
}

}  // namespace

TEST(ChildProcess, AnswersLineByLine) {
  ChildProcess cat({"/bin/cat"});
  cat.write_line("one");
  cat.write_line("");
  EXPECT_EQ(cat.read_line(), "one");
  EXPECT_EQ(cat.read_line(), "");
  EXPECT_EQ(cat.wait(), 0);
}

TEST(ChildProcess, TakesALineLongerThanAPipeHolds) {
  const std::string line(300'000, 'x');
  ChildProcess child(shell("read -r line; echo \"$line\""));
  child.write_line(line);
  EXPECT_EQ(child.read_line(), line);
}

TEST(ChildProcess, GetsItsArgumentsAsTheyAre) {
  const std::string word = "two words; $HOME `id` *";
  EXPECT_EQ(ChildProcess({"/usr/bin/printf", "%s\\n", word}).read_line(), word);
}

TEST(ChildProcess, TellsHowItEnded) {
  EXPECT_EQ(ChildProcess(shell("exit 7")).wait(), 7);
  EXPECT_EQ(ChildProcess(shell("kill -9 $$")).wait(), 128 + 9);
}

TEST(ChildProcess, WaitingTwiceGivesTheSame) {
  ChildProcess child(shell("exit 7"));
  EXPECT_EQ(child.wait(), 7);
  EXPECT_EQ(child.wait(), 7);
}

TEST(ChildProcess, WaitingPassesTheOutputOn) {
  testing::internal::CaptureStdout();
  ChildProcess child(shell("echo one; cat; echo three"));
  child.write_line("two");
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "one\ntwo\nthree\n");
}

TEST(ChildProcess, OneThatIsGoneIsAnErrorAndNoSignal) {
  ChildProcess child(shell("exit 3"));
  EXPECT_THAT([&] { child.read_line(); }, ThrowsMessage<Error>("sh ended early, with status 3"));
  EXPECT_THAT([&] { child.write_line("anybody?"); },
              ThrowsMessage<Error>("sh ended early, with status 3"));
}

TEST(ChildProcess, OneThatDiesWhileItIsWrittenToIsAnErrorAndNoSignal) {
  ChildProcess child(shell("read -r line; kill -9 $$"));
  EXPECT_THAT(
      [&] {
        for (;;) child.write_line(std::string(100'000, 'x'));
      },
      ThrowsMessage<Error>("sh ended early, with signal 9 (Killed)"));
}

TEST(ChildProcess, OneThatCannotStartIsNamed) {
  EXPECT_THAT([] { ChildProcess({"/no/such/program"}); },
              ThrowsMessage<Error>("cannot start /no/such/program: No such file or directory"));
  EXPECT_THAT([] { ChildProcess({"/"}); },
              ThrowsMessage<Error>("cannot start /: Permission denied"));
  EXPECT_THROW(ChildProcess({}), Error);
}

TEST(ChildProcess, APausedOneDoesNothingUntilItGoesOn) {
  ChildProcess cat({"/bin/cat"});
  cat.pause();
  cat.write_line("late");
  cat.resume();
  EXPECT_EQ(cat.read_line(), "late");
}

TEST(ChildProcess, HasStoppedWhenPauseReturns) {
  ChildProcess child(shell("echo $$; while :; do :; done"));
  const std::string pid = child.read_line();
  for (int i = 0; i < 20; ++i) {
    child.pause();
    EXPECT_EQ(state_of(pid), 'T');
    child.resume();
  }
}

TEST(ChildProcess, OneThatEndedCanBePaused) {
  ChildProcess child(shell("exit 0"));
  child.pause();
  child.resume();
  EXPECT_EQ(child.wait(), 0);
  child.pause();
}

TEST(ChildProcess, APausedOneCanBeWaitedFor) {
  ChildProcess cat({"/bin/cat"});
  cat.pause();
  EXPECT_EQ(cat.wait(), 0);
}

TEST(ChildProcess, IsEndedWithItsOwner) {
  for (const char* script : {"echo $$; exec sleep 60", "trap '' TERM; echo $$; exec sleep 60"}) {
    std::string pid;
    {
      ChildProcess sleeper(shell(script));
      pid = sleeper.read_line();
      sleeper.pause();
    }
    EXPECT_EQ(state_of(pid), '-') << script;
  }
}

// The middle process is killed before it could end its own child, which is stopped.
TEST(ChildProcess, IsEndedWithAProgramThatIsKilled) {
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe(ends.data()), 0);
  if (::fork() == 0) {
    ChildProcess sleeper(shell("echo $$; exec sleep 60"));
    const std::string pid = sleeper.read_line();
    sleeper.pause();
    if (::write(ends[1], pid.data(), pid.size()) < 0) ::_exit(1);
    std::raise(SIGKILL);
  }
  std::array<char, 32> text{};
  ASSERT_GT(::read(ends[0], text.data(), text.size() - 1), 0);
  EXPECT_TRUE(ends_within(text.data(), 5s));
}

TEST(ChildProcess, HoldsNoChannelOfAnotherOne) {
  ChildProcess first({"/bin/cat"});
  ChildProcess second(shell("exec sleep 60"));
  EXPECT_EQ(first.wait(), 0);  // its input has ended, though `second` was started meanwhile
}

TEST(OwnProgram, IsThisOne) { EXPECT_EQ(own_program().filename(), "child_process_test"); }

}  // namespace ippatsu
