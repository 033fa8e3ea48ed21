#pragma once

// For tests: a win, and what it is worth, as one line of text. tests/mahjong/wins.txt says what
// lines look like.

#include <string>
#include <string_view>

#include "mahjong/payment.h"
#include "mahjong/rules.h"
#include "mahjong/winning_hand.h"

namespace ippatsu::mahjong {

struct WinLine {
  WinningHand hand;
  RuleSet rules;
  WinPayment payment;         // of the seat that sits in the hand's seat wind, seat 0 dealing
  bool tells_deltas = false;  // by seat, rather than what each pays
};

// Fails where it is not one.
WinLine win_from_line(std::string_view text);

// "menzen tsumo 1, iipeikou 1 | 2 han 40 fu | 700/1300", or "nothing".
std::string worth(const WinLine& win);

}  // namespace ippatsu::mahjong
