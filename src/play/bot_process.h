#pragma once

// A bot: another program that is told things a line at a time, and owes answers.
//
//     bot.say(R"({"type":"tsumo","actor":1,"pai":"3m"})", 1);
//     converse({&bot}, 10s);
//     if (bot.fault().empty()) use(bot.answer());
//
// Nothing that a bot does harms who talks with it: silence, a line without end, a sudden death are
// all told by fault(), and then it is of no further use.

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "base/child_process.h"

namespace ippatsu::play {

class BotProcess {
 public:
  // The most bytes of a line that it may say.
  static constexpr size_t kLongestLine = size_t{1} << 16;

  // Its first answers may take so many times as long as later ones: it may have a net to load.
  static constexpr int kPatience = 10;

  // Runs the command as a shell reads it. The bot ends with the thread that starts it, at the
  // latest.
  explicit BotProcess(const std::string& command);

  // Will tell it the line, for which it owes as many answers.
  void say(std::string_view line, int answers);

  const std::string& answer() const { return answer_; }  // its latest
  const std::string& fault() const { return fault_; }    // what went wrong; empty if nothing did
  bool gone() const { return gone_; }                    // it ended, or closed a channel

  // It ended as a shell does that finds no program to run.
  bool never_ran() const;

  // Tells the bots what was said, and takes the answers that they owe, all side by side; each of
  // them has `limit` to do so.
  friend void converse(std::span<BotProcess* const> bots, std::chrono::milliseconds limit);

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting;

  bool busy() const { return fault_.empty() && (!unsent_.empty() || owed_ > 0); }
  void begin(std::chrono::milliseconds limit);
  void fail_if_late(Clock::time_point now);
  void send();
  void receive();
  void take_lines();
  void refuse_unasked();
  void tell_fate();

  ChildProcess process_;
  std::string unsent_;
  std::string heard_;  // no whole line of it was taken yet
  std::string answer_;
  std::string fault_;
  int owed_ = 0;
  bool spoken_ = false;
  bool gone_ = false;
  Clock::time_point deadline_;
  std::chrono::milliseconds limit_{};
};

void converse(std::span<BotProcess* const> bots, std::chrono::milliseconds limit);

// What a bot said, made fit for a message: printable ASCII, and no longer than that.
std::string quote_of(std::string_view said, size_t longest = 160);

}  // namespace ippatsu::play
