#pragma once

// Who speaks when: programs that speak mjai differ in this, and cannot be told apart by listening.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ippatsu::play {

enum class MjaiDialect : uint8_t {
  Lines,  // an event a line, an answer to each
  Lists,  // a list of events a line, an answer to each list
  Quiet   // an event a line, an answer where the program is asked; not to one with "can_act": false
};

struct MjaiDialectRow {
  MjaiDialect dialect;
  std::string_view name;
  std::string_view prefix;  // of such a program's name as a player
  std::string_view what;    // for help texts
};

std::span<const MjaiDialectRow> mjai_dialects();

// A line to be said to a bot, and how many answers it owes for it.
struct MjaiLine {
  std::string text;
  int answers;
};

// How events are said in a dialect; `asked`: the last of them is a question.
std::vector<MjaiLine> mjai_lines(std::vector<nlohmann::ordered_json> events, MjaiDialect dialect,
                                 bool asked);

}  // namespace ippatsu::play
