#pragma once

// For tests: rounds written as short scripts.
//
//     "0+5m 0-1z 1:pon:1z:11z 1-9p dora:3s 2+7p 2= 3+1m 3:tsumo:1m"
//
//     S+T draw   S-T discard from the hand   S= discard the drawn tile   S! declare riichi
//     S$ riichi accepted   S:chi:T:own  S:pon:T:own  S:kan:T:own  calls of the last discard
//     S:closed:TTTT  S:added:T  S:north  S:ron:T  S:tsumo:T  dora:T  draw:N a DrawKind by number
//     end
//
// What a script says moves no points; played() moves them by the rules.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "mahjong/table.h"

namespace ippatsu::mahjong {

struct Script {
  std::array<std::string_view, kSeats> hands;  // what is given; the rest is dealt from what is left
  std::string_view events;
  std::string_view dora = "9p";
  Scores scores = {25000, 25000, 25000, 25000};
  int players = 4;
  int honba = 0;
  int sticks = 0;
  RuleSet rules = {};  // but for the players
};

// The events of a game of one round, up to the script's end.
std::vector<Event> events_of(const Script& script);

// A table to which all of them have been applied, with points moved by the rules.
Table played(const Script& script);

// Turns in which everyone draws and discards the same tile, from the seat that is to draw.
void pass_turns(Table& table, int turns);

}  // namespace ippatsu::mahjong
