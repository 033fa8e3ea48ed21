// For tests: bots that speak mjai, well or badly.
//
//     test_bot PLAYER DIALECT [once | SEAT]   a player that needs only the rules; for one game, or
//                                             on that seat alone
//     test_bot BEHAVIOUR                      see below

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>

#include <unistd.h>

#include "play/mjai_bot.h"
#include "play/players.h"

namespace {

using namespace ippatsu::play;

constexpr const char* kNone = R"({"type":"none"})";

void say(const std::string& line) { std::cout << line << std::endl; }

// Each is given a line and answers it.
const std::map<std::string, std::function<void(const std::string&)>> kBehaviours = {
    {"silent", [](const std::string&) {}},
    {"passing", [](const std::string&) { say(kNone); }},
    {"nonsense", [](const std::string&) { say("tsumo\x1b[31m\xff {"); }},
    {"talkative", [](const std::string&) { say(kNone), say(kNone); }},
    {"endless",
     [](const std::string&) {
       for (;;) std::cout << std::string(1 << 12, 'x');
     }},
    {"flooding",
     [](const std::string&) {
       for (;;) say(kNone);
     }},
    {"dying", [](const std::string&) { std::exit(3); }},
    {"crashing", [](const std::string&) { std::raise(SIGKILL); }},
    {"deaf",
     [](const std::string&) { ::close(0), std::this_thread::sleep_for(std::chrono::hours(1)); }},
    {"mute",
     [](const std::string&) { ::close(1), std::this_thread::sleep_for(std::chrono::hours(1)); }},
};

int play(Player& player, const std::string& dialect, const std::string& where) {
  const bool once = where == "once";
  MjaiBot bot(player, std::ranges::find(mjai_dialects(), dialect, &MjaiDialectRow::name)->dialect,
              {});
  for (std::string line; std::getline(std::cin, line);) {
    const bool starts = line.find("start_game") != line.npos;
    if (starts && !once && line.find("\"id\":" + where) == line.npos) return 1;
    if (const auto answer = bot.react(line)) say(*answer);
    if (once && line.find("end_game") != line.npos) return 0;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argv[1];
  if (const auto row = std::ranges::find(plain_players(), name, &PlayerRow::name);
      row != plain_players().end())
    return play(*row->make(), argv[2], argc > 3 ? argv[3] : "");
  const auto& behave = kBehaviours.at(name);
  for (std::string line; std::getline(std::cin, line);) behave(line);
  return 0;
}
