#pragma once

// How a game went: its rounds, who won them with what, and the scores in between.

#include <array>
#include <optional>
#include <vector>

#include "mahjong/hand_value.h"
#include "mahjong/winning_hand.h"
#include "records/record.h"

namespace ippatsu::analysis {

struct WonHand {
  mahjong::Win win;
  mahjong::WinningHand hand;
  std::optional<mahjong::HandValue> value;  // by the rules; none where they know no yaku of it

  bool tsumo() const { return win.from == win.seat; }
};

struct Round {
  size_t first_event;  // index into the record's events of its beginning
  mahjong::StartRound start;
  std::vector<WonHand> wins;              // none, or up to three on one tile
  std::optional<mahjong::DrawKind> draw;  // why nobody won
  mahjong::Scores scores{};               // after it; of the last, at the end of the game
};

struct Course {
  mahjong::StartGame game;
  std::vector<Round> rounds;

  int players() const { return game.rules.players; }
  mahjong::Scores final_scores() const;
};

// Of game number `game` of the record, from 0. The record must have been replayed to its end
// without a fault (replay.h), and hold that game.
Course course_of(const mahjong::Record& record, int game);

// The rank of every seat, 1 .. 4: most points first, equal ones in the order of the first dealing.
std::array<int, mahjong::kSeats> ranks_of(const mahjong::Scores& scores,
                                          const mahjong::RuleSet& rules);

}  // namespace ippatsu::analysis
