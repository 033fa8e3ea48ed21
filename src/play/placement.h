#pragma once

// What a round did for each seat's place in the end, rather than for its points: 1,000 points mean
// little in the first round and everything in the last (Li et al., "Suphx: mastering mahjong with
// deep reinforcement learning", 2020, reward rounds by a predicted final reward for this reason).

#include <array>
#include <span>
#include <vector>

#include "mahjong/event.h"
#include "mahjong/rules.h"

namespace ippatsu::play {

// By seat, in rank points (statistics.h). They sum to 0.
using SeatValues = std::array<double, mahjong::kSeats>;

// The rank points that seats with these scores can expect when `rounds` more are to be played. Each
// score is taken to move by a normal step a round, alike for all; with no round left the ranks are
// those of the scores.
SeatValues expected_rank_points(const mahjong::Scores& scores, double rounds,
                                const mahjong::RuleSet& rules);

// How many rounds a game has left that is about to play this one, repeats included.
double rounds_left(const mahjong::StartRound& round, const mahjong::RuleSet& rules);

// For each round of a finished game what it changed of the expected rank points. Their sum is the
// game's rank points less what the first dealing expects.
std::vector<SeatValues> round_rewards(std::span<const mahjong::Event> events);

}  // namespace ippatsu::play
