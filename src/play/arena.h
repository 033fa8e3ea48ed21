#pragma once

// Many games at once: the questions of all tables go to the players in batches.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mahjong/game.h"
#include "play/player.h"

namespace ippatsu::play {

using Players = std::vector<std::shared_ptr<Player>>;

struct PlannedGame {
  uint64_t seed;                              // of its walls
  std::array<size_t, mahjong::kSeats> seats;  // who sits there: index into the players
};

// Duplicate play, one against three: for each set the same walls, player 0 once on each seat and
// player 1 on the others. Set s is games 4 s to 4 s + 3.
std::vector<PlannedGame> duplicate_plan(size_t sets, uint64_t seed);

// Games of one to four players who sit round the table in their order and begin again until it is
// full. Each game has walls of its own, and everybody moves on by a seat from game to game.
std::vector<PlannedGame> rotating_plan(size_t games, size_t players, uint64_t seed);

struct PlayedGame {
  size_t index;  // into the plan
  std::vector<mahjong::Event> events;
  mahjong::Scores scores{};                 // at the end, left-over sticks included
  std::array<int, mahjong::kSeats> rank{};  // 0..3, by seat
  std::string fault;                        // why it was not finished; empty if it was
};

// The game that these events are, from its start to its end.
PlayedGame played_game(size_t index, std::vector<mahjong::Event> events);

struct ArenaOptions {
  mahjong::RuleSet rules;
  int workers = 2;  // threads
  int tables = 64;  // that a worker plays at once; fewer where a player cannot hold so many seats
};

// Plays the games of the plan that `wanted` says yes to, and hands each over as it ends, in no
// certain order, never two at once. Returns early, with games lost, once `stop` is set or
// `finished` says no.
void play_games(std::span<const PlannedGame> plan, const Players& players,
                const ArenaOptions& options, const std::function<bool(size_t)>& wanted,
                const std::function<bool(PlayedGame&&)>& finished,
                const std::atomic<bool>* stop = nullptr);

}  // namespace ippatsu::play
