#include "play/bot_process.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>

#include "base/error.h"

namespace ippatsu::play {

namespace {

using std::chrono::milliseconds;

std::vector<std::string> through_shell(const std::string& command) {
  return {"/bin/sh", "-c", "exec " + command};
}

bool can_be_read(int channel) {
  pollfd readable{.fd = channel, .events = POLLIN, .revents = 0};
  return ::poll(&readable, 1, 0) > 0;
}

}  // namespace

BotProcess::BotProcess(const std::string& command) : process_(through_shell(command)) {}

void BotProcess::say(std::string_view line, int answers) {
  unsent_.append(line);
  unsent_ += '\n';
  owed_ += answers;
}

void BotProcess::begin(milliseconds limit) {
  limit_ = spoken_ ? limit : kPatience * limit;
  deadline_ = Clock::now() + limit_;
  refuse_unasked();
}

// What it says before it was told anything new would be taken for the answer to that.
void BotProcess::refuse_unasked() {
  if (!fault_.empty()) return;
  const int owed = std::exchange(owed_, 0);
  if (can_be_read(process_.output())) receive();
  owed_ = owed;
}

void BotProcess::send() {
  const std::optional<size_t> sent = process_.send_some(unsent_);
  gone_ = gone_ || !sent;
  unsent_.erase(0, sent.value_or(unsent_.size()));
}

void BotProcess::receive() {
  std::array<char, 1 << 14> room;
  const std::optional<std::string_view> said = process_.receive_some(room);
  gone_ = gone_ || !said;
  heard_ += said.value_or("");
  take_lines();
}

void BotProcess::take_lines() {
  for (size_t end; (end = heard_.find('\n')) != heard_.npos; heard_.erase(0, end + 1)) {
    if (owed_ == 0) {
      fault_ = fmt::format("spoke without being asked: {}", quote_of(heard_.substr(0, end)));
      return;
    }
    answer_ = heard_.substr(0, end);
    spoken_ = true;
    --owed_;
  }
  if (heard_.size() > kLongestLine)
    fault_ = fmt::format("said more than {} bytes without an end of line: {}", kLongestLine,
                         quote_of(heard_));
}

void BotProcess::fail_if_late(Clock::time_point now) {
  if (busy() && !gone_ && now >= deadline_)
    fault_ =
        fmt::format("did not answer within {:g} s", std::chrono::duration<double>(limit_).count());
}

bool BotProcess::never_ran() const {
  constexpr int kNotExecutable = 126, kNotFound = 127;
  const int status = process_.exit_status().value_or(0);
  return !spoken_ && (status == kNotExecutable || status == kNotFound);
}

void BotProcess::tell_fate() {
  if (gone_ && fault_.empty()) fault_ = process_.fate();
}

// What a round of talk waits for, and what is to be done with what is ready.
struct BotProcess::Waiting {
  std::vector<pollfd> channels;
  std::vector<BotProcess*> bots;  // whose channel it is
  Clock::time_point until = Clock::time_point::max();

  void add(BotProcess& bot) {
    if (!bot.busy() || bot.gone_) return;
    until = std::min(until, bot.deadline_);
    if (!bot.unsent_.empty()) add(bot, bot.process_.input(), POLLOUT);
    if (bot.owed_ > 0) add(bot, bot.process_.output(), POLLIN);
  }

  void add(BotProcess& bot, int channel, short event) {
    channels.push_back({.fd = channel, .events = event, .revents = 0});
    bots.push_back(&bot);
  }

  void wait(Clock::time_point now) {
    const auto left = std::chrono::ceil<milliseconds>(until - now);
    ::poll(channels.data(), channels.size(), static_cast<int>(left.count()));
    for (size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].revents == 0) continue;
      if (channels[i].events == POLLOUT)
        bots[i]->send();
      else
        bots[i]->receive();
    }
  }
};

void converse(std::span<BotProcess* const> bots, milliseconds limit) {
  for (BotProcess* bot : bots) bot->begin(limit);
  for (;;) {
    const auto now = BotProcess::Clock::now();
    BotProcess::Waiting waiting;
    for (BotProcess* bot : bots) {
      bot->fail_if_late(now);
      waiting.add(*bot);
    }
    if (waiting.channels.empty()) break;
    waiting.wait(now);
  }
  for (BotProcess* bot : bots) bot->tell_fate();
}

std::string quote_of(std::string_view said, size_t longest) {
  std::string text(said.substr(0, longest));
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
  return said.size() > longest ? text + "..." : text;
}

}  // namespace ippatsu::play
