#pragma once

// Who decides at a table: one interface for every kind of player.

#include <cstdint>
#include <span>
#include <string>

#include "mahjong/action.h"
#include "mahjong/event.h"
#include "mahjong/table.h"

namespace ippatsu::play {

// A seat that has a choice. A player looks only at what its seat can see: whatever lies open, and
// its own concealed and drawn tiles.
struct Question {
  const mahjong::Table* table;
  mahjong::Seat seat;
  uint64_t game;                           // tells the games of one run apart
  std::span<const mahjong::Event> events;  // of that game so far

  const mahjong::ActionSet& legal() const { return table->legal(seat); }  // at least two
  const mahjong::SeatState& self() const { return table->seat(seat); }
};

struct Answer {
  mahjong::Action action;  // a legal one
  std::string fault = {};  // why there is none: the game cannot go on
};

class Player {
 public:
  virtual ~Player() = default;

  // How it is told from others in results: "greedy", "naga-small.safetensors".
  virtual std::string name() const = 0;

  // Answers each question. They may be of many games, and what is answered to one does not depend
  // on which others come with it. Called by several threads at once.
  virtual void answer(std::span<const Question> questions, std::span<Answer> answers) = 0;

  // How many seats it can hold at once, in all games together.
  virtual size_t most_seats() const { return SIZE_MAX; }

  // A game in which it was asked is over; its events are complete, unless a player failed.
  virtual void end_game(uint64_t /*game*/, std::span<const mahjong::Event> /*events*/) {}
};

// A player that answers each question by itself, and from it alone.
class SimplePlayer : public Player {
 public:
  void answer(std::span<const Question> questions, std::span<Answer> answers) final {
    for (size_t i = 0; i < questions.size(); ++i) answers[i].action = choose(questions[i]);
  }

  virtual mahjong::Action choose(const Question& question) const = 0;
};

}  // namespace ippatsu::play
