#include "mahjong/game.h"

#include <bit>
#include <cassert>

#include "base/error.h"

namespace ippatsu::mahjong {

Game::Game(const RuleSet& rules, uint64_t seed, std::vector<Event>* events)
    : seed_(seed), events_(events) {
  if (rules.players != kSeats)
    fail("a game of {} players cannot be played, only one of 4", rules.players);
  happen(StartGame{.names = {}, .rules = rules, .wall_seed = shuffled_seed(seed)});
  go_on();
}

template <typename Happening>
void Game::happen(const Happening& event) {
  table_.apply(event);
  if (events_) events_->push_back(event);
}

void Game::choose(Seat seat, Action action) {
  if (!asks(seat) || !legal(seat).contains(action))
    fail("seat {} may not choose '{}' now", seat, to_string(action));
  chosen_[seat] = action;
  asked_ &= ~(1U << seat);
  if (asked_ != 0) return;
  if (seat == table_.turn())
    take_turn(action);
  else
    settle_reactions();
  go_on();
}

// Until somebody has a choice, or the game is over.
void Game::go_on() {
  while (asked_ == 0 && !over_) {
    switch (table_.phase()) {
      case Phase::BetweenRounds:
        start_round();
        break;
      case Phase::Draw:
        draw(table_.turn());
        break;
      case Phase::Act:
      case Phase::DiscardAfterCall:
      case Phase::DiscardAfterRiichi:
        ask_turn();
        break;
      case Phase::Reaction:
      case Phase::KanReaction:
        ask_others();
        break;
      case Phase::Won:
      case Phase::Drawn:
        happen(EndRound{});
        break;
      case Phase::NoGame:
        over_ = true;
        break;
    }
  }
}

void Game::start_round() {
  const bool first = rounds_ == 0;
  const std::optional<NextRound> next =
      first ? NextRound{.round_wind = Wind::East, .number = 1, .honba = 0, .dealer = 0}
            : table_.next_round();
  if (!next) return happen(EndGame{table_.final_scores()});
  const RuleSet& rules = table_.rules();
  wall_ = Wall::shuffled(seed_, rounds_++, rules.red_fives);
  draws_ = waiting_dora_ = 0;
  StartRound round{.round_wind = next->round_wind,
                   .number = next->number,
                   .honba = next->honba,
                   .sticks = table_.sticks(),
                   .dealer = next->dealer,
                   .dora_indicator = wall_.dora_indicator(0),
                   .scores = table_.scores(),
                   .hands = {}};
  if (first) round.scores.fill(rules.start_points);
  for (int place = 0; place < kSeats; ++place)
    round.hands[(next->dealer + place) % kSeats] = wall_.hand(place);
  happen(round);
}

void Game::draw(Seat seat) { happen(Draw{seat, wall_.draw(draws_++)}); }

void Game::ask_turn() {
  const Seat turn = table_.turn();
  if (legal(turn).size() == 1) return take_turn(legal(turn).nth(0));
  asked_ = 1U << turn;
}

void Game::ask_others() {
  for (int seat = 0; seat < kSeats; ++seat)
    if (!legal(seat).empty()) asked_ |= 1U << seat;
  if (asked_ == 0) settle_reactions();
}

void Game::take_turn(Action action) {
  const Seat seat = table_.turn();
  if (action.is_discard()) {
    happen(table_.discard_of(seat, action));
    turn_dora();
  } else if (action.is_kan()) {
    declare_kan(seat, action.kind());
  } else if (action == Action::riichi()) {
    happen(RiichiDeclared{seat});
  } else if (action == Action::win()) {
    win(1U << seat);
  } else {
    happen(RoundDraw{DrawKind::NineTerminals, Scores{}});
  }
}

// A kan turns what earlier ones left waiting. Its own indicator comes at once if it is closed.
void Game::declare_kan(Seat seat, int kind) {
  const bool closed = table_.seat(seat).concealed.count_kind(kind) == kCopies;
  if (closed)
    happen(table_.closed_kan_of(seat, kind));
  else
    happen(table_.added_kan_of(seat, kind));
  closed_kan_ = closed;
}

// What the others chose comes to pass: rons, else the tile is let go, and pon and kan come before
// chi.
void Game::settle_reactions() {
  const unsigned winners = choosing(Action::win());
  const bool three = std::popcount(winners) == kSeats - 1;
  const RuleSet& rules = table_.rules();
  if (three && rules.triple_ron_aborts && !rules.head_bump)
    return happen(RoundDraw{DrawKind::TripleRon, Scores{}});
  if (winners != 0) return win(winners);
  if (table_.phase() == Phase::KanReaction) return draw_replacement();
  const Seat turn = table_.turn();
  if (table_.seat(turn).riichi == Riichi::Declared) happen(RiichiAccepted{turn});
  if (const std::optional<DrawKind> kind = table_.due_draw())
    return happen(RoundDraw{*kind, table_.draw_deltas(*kind)});
  if (const std::optional<Seat> caller = this->caller()) {
    closed_kan_ = false;
    return happen(table_.call_of(*caller, chosen_[*caller]));
  }
  draw(static_cast<Seat>((turn + 1) % kSeats));
}

// The seats among those asked that chose this: a bit each.
unsigned Game::choosing(Action action) const {
  unsigned seats = 0;
  for (int seat = 0; seat < kSeats; ++seat)
    if (!legal(seat).empty() && chosen_[seat] == action) seats |= 1U << seat;
  return seats;
}

std::optional<Seat> Game::caller() const {
  std::optional<Seat> caller;
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if (legal(seat).empty() || chosen_[seat] == Action::pass()) continue;
    if (!caller || !chosen_[seat].is_chi()) caller = seat;
  }
  return caller;
}

// The winners in turn after the one who is in turn; with a head bump only the first.
void Game::win(unsigned winners) {
  const Seat from = table_.turn();
  const Tile tile = *table_.winning_tile();
  for (int after = 0; after < kSeats; ++after) {
    const auto seat = static_cast<Seat>((from + after) % kSeats);
    if (!(winners >> seat & 1)) continue;
    const bool riichi = table_.seat(seat).riichi == Riichi::Accepted;
    const Indicators ura =
        riichi ? wall_.ura_indicators(table_.dora_indicators().size()) : Indicators{};
    happen(Win{.seat = seat,
               .from = from,
               .tile = tile,
               .ura_indicators = ura,
               .deltas = table_.win_deltas(seat, ura),
               .liable = table_.seat(seat).liable});
    if (table_.rules().head_bump) break;
  }
}

void Game::draw_replacement() {
  const bool late = table_.rules().late_kan_dora && !closed_kan_;
  if (!late) ++waiting_dora_;
  turn_dora();
  if (late) ++waiting_dora_;
  happen(Draw{table_.turn(), wall_.replacement(table_.kans() - 1)});
}

void Game::turn_dora() {
  for (; waiting_dora_ > 0; --waiting_dora_)
    happen(Dora{wall_.dora_indicator(static_cast<int>(table_.dora_indicators().size()))});
}

}  // namespace ippatsu::mahjong
