#include "base/child_process.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu {

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

}  // namespace

TEST(ChildProcess, AnswersLineByLine) {
  ChildProcess cat({"/bin/cat"});
  cat.write_line("one");
  cat.write_line("two");
  EXPECT_EQ(cat.read_line(), "one");
  EXPECT_EQ(cat.read_line(), "two");
  EXPECT_EQ(cat.wait(), 0);
}

TEST(ChildProcess, TellsHowItEnded) {
  EXPECT_EQ(ChildProcess({"/bin/sh", "-c", "exit 7"}).wait(), 7);
  EXPECT_EQ(ChildProcess({"/bin/sh", "-c", "kill -9 $$"}).wait(), 128 + 9);
}

TEST(ChildProcess, OneThatIsGoneIsAnErrorAndNoSignal) {
  ChildProcess child({"/bin/sh", "-c", "exit 3"});
  EXPECT_THAT([&] { child.read_line(); },
              ThrowsMessage<Error>(HasSubstr("ended early, with status 3")));
  EXPECT_THROW(child.write_line("anybody?"), Error);
  EXPECT_THAT([] { ChildProcess({"/no/such/program"}); },
              ThrowsMessage<Error>(HasSubstr("cannot start /no/such")));
}

TEST(ChildProcess, APausedOneDoesNothingUntilItGoesOn) {
  ChildProcess cat({"/bin/cat"});
  cat.pause();
  cat.write_line("late");
  cat.resume();
  EXPECT_EQ(cat.read_line(), "late");
}

TEST(ChildProcess, IsEndedWithItsOwner) {
  const auto start = std::chrono::steady_clock::now();
  { ChildProcess sleeper({"/bin/sleep", "60"}); }
  { ChildProcess stubborn({"/bin/sh", "-c", "trap '' TERM; exec sleep 60"}); }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace ippatsu
