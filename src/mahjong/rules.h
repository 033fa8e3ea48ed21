#pragma once

// The rules of a game, as named switches. As they stand they are Tenhou's four-player hanchan with
// red fives (https://tenhou.net/man/).

#include <array>
#include <cstdint>

#include "mahjong/seat.h"

namespace ippatsu::mahjong {

enum class Length : uint8_t { OneRound, East, South };

struct RuleSet {
  int players = 4;  // 3 or 4
  Length length = Length::South;

  // Tiles and calls.
  bool red_fives = true;      // one of each suit
  bool swap_calling = false;  // may a call discard the tile it took, or the other end of its run?
  bool late_kan_dora =
      true;  // an open or added kan's indicator is turned by the next discard or kan

  // Hands.
  bool open_tanyao = true;
  bool double_wind_fu = true;           // a pair of both winds is 4 fu, not 2
  bool rinshan_fu = true;               // a win on a replacement tile has tsumo's 2 fu
  bool closed_kan_orphans_ron = false;  // thirteen orphans may rob a closed kan
  bool kiriage_mangan = false;          // 4 han 30 fu and 3 han 60 fu are mangan
  bool counted_yakuman = true;          // 13 han are a yakuman (kazoe), not sanbaiman
  bool double_yakuman = false;          // the four rarer forms of a yakuman count twice
  bool added_yakuman = true;            // several yakuman in one hand add up

  // Payments.
  bool pao = true;  // for the third dragon and the fourth wind
  int32_t honba_points = 300;
  bool nagashi_mangan = true;

  // Who wins when several claim one tile, and rounds that end without a winner.
  bool head_bump = false;         // only the nearest to the discarder wins
  bool triple_ron_aborts = true;  // unless head_bump
  bool nine_terminals_abort = true;
  bool four_winds_abort = true;
  bool four_riichi_abort = true;
  bool four_kans_abort = true;  // of several seats

  // The game.
  int32_t start_points = 25000;
  int32_t target_points = 30000;  // under it the game goes on for one more wind (sudden death)
  bool busts = true;              // below 0 ends the game
  bool dealer_may_end = true;  // agari-yame and tenpai-yame: a leading dealer's last round ends it
  std::array<int32_t, kSeats> uma = {20, 10, -10, -20};  // thousands, by rank

  friend bool operator==(const RuleSet&, const RuleSet&) = default;
};

}  // namespace ippatsu::mahjong
