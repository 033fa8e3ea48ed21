#pragma once

// Holds a record to the rules: every event possible, every win's yaku, fu and points as computed,
// every payment, the order of rounds and the end, and, where their seed is known, all walls.

#include <cstdint>
#include <string>
#include <vector>

#include "records/record.h"

namespace ippatsu::mahjong {

struct Difference {
  size_t event;      // index into the record's events; 0 where it has none
  std::string what;  // "seat 2 wins 3900 points by the rules, not 2000"
};

struct RecordCheck {
  int64_t games = 0;
  int64_t three_player_games = 0;  // of them
  int64_t rounds = 0;
  int64_t wins = 0;
  int64_t draws = 0;
  int64_t walls = 0;  // that were compared with their seed
  std::vector<Difference> differences;
};

// What follows an impossible event cannot be followed: it is the last difference then. With three
// players only what is possible is looked at, not values, payments and the order of rounds.
RecordCheck check_record(const Record& record);

}  // namespace ippatsu::mahjong
