#pragma once

// A game being played: walls are dealt, seats are asked, what they choose happens.
//
//     Game game(rules, seed);
//     while (!game.over())
//       for (Seat seat : {0, 1, 2, 3})
//         if (game.asks(seat)) game.choose(seat, player.choose(game.table(), seat));
//
// A seat is asked only where it has a choice; where one action is left it simply happens. When all
// who were asked have chosen, the game goes on to the next choice, across rounds, to its end.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "mahjong/action.h"
#include "mahjong/table.h"
#include "mahjong/wall.h"

namespace ippatsu::mahjong {

class Game {
 public:
  // Four players. Everything that happens is appended to `events`, where given, which must then
  // outlive the game.
  Game(const RuleSet& rules, uint64_t seed, std::vector<Event>* events = nullptr);

  bool over() const { return over_; }
  const Table& table() const { return table_; }

  unsigned asked() const { return asked_; }  // who must choose now: a bit a seat
  bool asks(int seat) const { return asked_ >> seat & 1; }
  const ActionSet& legal(int seat) const { return table_.legal(seat); }

  // The seat must be asked, and the action legal for it.
  void choose(Seat seat, Action action);

  int rounds() const { return rounds_; }  // begun so far

 private:
  template <typename Happening>
  void happen(const Happening& event);

  void go_on();
  void start_round();
  void draw(Seat seat);
  void ask_turn();
  void ask_others();
  void take_turn(Action action);
  void declare_kan(Seat seat, int kind);
  void settle_reactions();
  unsigned choosing(Action action) const;
  std::optional<Seat> caller() const;
  void win(unsigned winners);
  void draw_replacement();
  void turn_dora();

  Table table_;
  Wall wall_;
  uint64_t seed_;
  std::vector<Event>* events_;
  std::array<Action, kSeats> chosen_{};
  unsigned asked_ = 0;
  int rounds_ = 0;
  int draws_ = 0;            // from the wall, this round
  int waiting_dora_ = 0;     // indicators that the next discard or kan turns
  bool closed_kan_ = false;  // the last kan declared is a closed one
  bool over_ = false;
};

}  // namespace ippatsu::mahjong
