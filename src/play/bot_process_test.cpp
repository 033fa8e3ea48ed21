#include "play/bot_process.h"

#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ippatsu::play {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string shell(const std::string& script) { return "sh -c '" + script + "'"; }

void converse_alone(BotProcess& bot, std::chrono::milliseconds limit) {
  BotProcess* const bots[] = {&bot};
  converse(bots, limit);
}

TEST(BotProcess, GivesTheLastOfTheAnswersThatItOwes) {
  BotProcess bot("cat");
  for (const char* line : {"one", "two", "three"}) bot.say(line, 1);
  converse_alone(bot, 10s);
  EXPECT_EQ(bot.answer(), "three");
  EXPECT_EQ(bot.fault(), "");
}

// Each waits for a line that the test would give only after the answer of the other.
TEST(BotProcess, SeveralAreTalkedWithSideBySide) {
  BotProcess slow(shell("read -r a; sleep 0.2; echo slow")), quick("cat");
  slow.say("?", 1);
  quick.say("!", 1);
  BotProcess* const bots[] = {&slow, &quick};
  converse(bots, 10s);
  EXPECT_EQ(slow.answer(), "slow");
  EXPECT_EQ(quick.answer(), "!");
}

// More than a pipe and a socket hold, on both ways.
TEST(BotProcess, IsListenedToWhileItIsTold) {
  BotProcess bot("cat");
  for (int i = 0; i < 2000; ++i) bot.say(std::string(1000, 'x'), 1);
  converse_alone(bot, 60s);
  EXPECT_EQ(bot.fault(), "");
  EXPECT_EQ(bot.answer().size(), 1000U);
}

TEST(BotProcess, HasALimitAndAtFirstALongerOne) {
  BotProcess bot(shell("read -r a; sleep 0.3; echo late; read -r b; sleep 60"));
  bot.say("?", 1);
  converse_alone(bot, 200ms);
  EXPECT_EQ(bot.answer(), "late");
  bot.say("?", 1);
  converse_alone(bot, 200ms);
  EXPECT_EQ(bot.fault(), "did not answer within 0.2 s");
}

// Or its next answers would be taken for those of other questions.
TEST(BotProcess, OneThatSpeaksUnaskedIsTold) {
  BotProcess twice("sh -c \"read -r a; printf 'one\\ntwo\\n'; sleep 60\"");
  twice.say("?", 1);
  converse_alone(twice, 10s);
  EXPECT_EQ(twice.fault(), "spoke without being asked: two");
  const std::filesystem::path spoken = testing::TempDir() + "bot_process_test.spoken";
  std::filesystem::remove(spoken);
  BotProcess early(shell("echo ready; : >" + spoken.string() + "; sleep 60"));
  while (!std::filesystem::exists(spoken)) std::this_thread::sleep_for(5ms);
  early.say("?", 1);
  converse_alone(early, 10s);
  EXPECT_EQ(early.fault(), "spoke without being asked: ready");
}

TEST(BotProcess, OneThatHearsNothingIsTold) {
  BotProcess bot(shell("exec 0<&-; sleep 60"));
  bot.say(std::string(1 << 20, 'x'), 1);
  converse_alone(bot, 10s);
  EXPECT_EQ(bot.fault(), "runs on but speaks no more");
  EXPECT_TRUE(bot.gone());
}

TEST(BotProcess, OneThatReadsNothingIsTold) {
  BotProcess bot("sleep 60");
  bot.say(std::string(1 << 22, 'x'), 0);
  converse_alone(bot, 20ms);
  EXPECT_EQ(bot.fault(), "did not answer within 0.2 s");
}

TEST(BotProcess, OneThatNeverRanIsTold) {
  BotProcess missing("/no/such/bot 2>/dev/null"), ended(shell("exit 3"));
  for (BotProcess* bot : {&missing, &ended}) {
    bot->say("?", 1);
    converse_alone(*bot, 10s);
    EXPECT_THAT(bot->fault(), HasSubstr("ended early, with status "));
  }
  EXPECT_TRUE(missing.never_ran());
  EXPECT_FALSE(ended.never_ran());
}

TEST(BotProcess, WhatItSaidIsFitForAMessage) {
  EXPECT_EQ(quote_of("a\x1b\n\xff z"), "a??? z");
  EXPECT_EQ(quote_of(std::string(1000, 'x')), std::string(160, 'x') + "...");
}

}  // namespace
}  // namespace ippatsu::play
