#pragma once

// Who pays whom at the end of a round: points gained and lost, by seat.

#include <array>
#include <cstdint>
#include <optional>

#include "mahjong/hand_value.h"
#include "mahjong/rules.h"
#include "mahjong/seat.h"

namespace ippatsu::mahjong {

inline constexpr int kStickPoints = 1000;

struct WinPayment {
  Seat winner;
  Seat from;  // the discarder; the winner for tsumo
  Seat dealer;
  int honba = 0;   // that this winner collects: 0 for the further winners of one tile
  int sticks = 0;  // likewise
  // Who dealt this winner the third dragon or the fourth wind (pao). It pays for big dragons and
  // big winds alone, all of them on tsumo, half on another's discard.
  std::optional<Seat> liable;
};

// Sums to 1000 * sticks. With three players nobody pays for the fourth.
Scores win_deltas(const HandValue& value, const WinPayment& payment, const RuleSet& rules);

// An exhausted wall: 3000 points (2000 of three players) from the others to those tenpai (a bit a
// seat); none where all or none are.
Scores noten_deltas(unsigned tenpai, const RuleSet& rules);

// Nagashi mangan of these seats (a bit each): each is paid as for a mangan by tsumo, without honba
// and sticks.
Scores nagashi_deltas(unsigned seats, Seat dealer, const RuleSet& rules);

// Seats by final rank: most points first, equal ones in the order of the first dealing. With three
// players seat 3 comes last.
std::array<Seat, kSeats> ranking(const Scores& scores, const RuleSet& rules);

}  // namespace ippatsu::mahjong
