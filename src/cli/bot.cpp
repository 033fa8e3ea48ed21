#include "cli/bot.h"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/complaint.h"
#include "cli/players.h"
#include "play/mjai_bot.h"

namespace ippatsu::cli {

namespace {

constexpr size_t kLongestLine = size_t{1} << 20;

struct BotCommand {
  std::string player;
  std::string device = "ippatsu";
  std::string dialect = "lines";
  std::optional<int> seat;
};

play::MjaiDialect dialect_of(const std::string& name) {
  return std::ranges::find(play::mjai_dialects(), name, &play::MjaiDialectRow::name)->dialect;
}

// Whoever listens may go away: that is an error to be told, and no signal.
void say(const std::string& answer) {
  std::cout << answer << std::endl;
  if (!std::cout) fail("nobody reads the answers: standard output is closed");
}

void react(play::MjaiBot& bot, std::string_view line) {
  if (line.find_first_not_of(" \t\r") == line.npos) return;
  if (const std::optional<std::string> answer = bot.react(line)) say(*answer);
}

void bot(const BotCommand& command) {
  std::signal(SIGPIPE, SIG_IGN);
  const auto player = player_of(command.player, command.device);
  std::optional<mahjong::Seat> seat;
  if (command.seat) seat = static_cast<mahjong::Seat>(*command.seat);
  play::MjaiBot bot(*player, dialect_of(command.dialect), seat);
  std::vector<char> room(kLongestLine);
  for (size_t line = 1; std::cin.getline(room.data(), std::ssize(room)); ++line) try {
      react(bot, room.data());
    } catch (const Error& error) {
      fail("{}", text_of({"standard input", fmt::format("line {}", line), error.what()}));
    }
  if (!std::cin.eof()) fail("standard input: a line is longer than {} bytes", kLongestLine);
}

std::vector<std::string> dialect_names() {
  std::vector<std::string> names;
  for (const play::MjaiDialectRow& row : play::mjai_dialects()) names.emplace_back(row.name);
  return names;
}

}  // namespace

void add_bot_command(CLI::App& app) {
  auto options = std::make_shared<BotCommand>();
  auto* command = app.add_subcommand(
      "bot",
      "A player over standard input and output, in mjai: for other programs' servers and arenas.\n"
      "It hears events as its seat sees them, others' tiles being \"?\", and answers with what it "
      "does.");
  command->footer(player_help() +
                  "Dialects:\n"
                  "  lines          an event a line, an answer to each\n"
                  "  lists          a list of events a line, an answer to each list\n"
                  "  quiet          an event a line, an answer where the seat can act\n"
                  "Where an event says \"can_act\": false, the answer is none, or in `quiet` left "
                  "out.\n"
                  "Example:\n  ippatsu bot runs/first --device cpu --dialect lists --seat 2");
  command->add_option("PLAYER", options->player, "who plays")->required();
  command
      ->add_option("--device", options->device,
                   "what nets run on: cpu (eager PyTorch), ippatsu or ippatsu:N")
      ->capture_default_str();
  command->add_option("--dialect", options->dialect, "who speaks when")
      ->check(CLI::IsMember(dialect_names()))
      ->capture_default_str();
  command->add_option("--seat", options->seat, "where start_game does not tell it (0 deals first)")
      ->check(CLI::Range(0, mahjong::kSeats - 1));
  command->callback([options] { bot(*options); });
}

}  // namespace ippatsu::cli
