#include "play/arena.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/split_mix.h"
#include "mahjong/payment.h"

namespace ippatsu::play {

namespace {

using namespace mahjong;

// What all workers share: the next game of the plan, and where games go when they end.
class Schedule {
 public:
  Schedule(std::span<const PlannedGame> plan, const std::function<bool(size_t)>& wanted,
           const std::function<bool(PlayedGame&&)>& finished, const std::atomic<bool>* stop)
      : plan_(plan), wanted_(wanted), finished_(finished), stop_(stop) {}

  std::optional<size_t> next() {
    const std::lock_guard lock(mutex_);
    while (next_ < plan_.size() && !stopped()) {
      const size_t index = next_++;
      if (wanted_(index)) return index;
    }
    return std::nullopt;
  }

  void finish(PlayedGame&& game) {
    const std::lock_guard lock(mutex_);
    if (!stopped() && !finished_(std::move(game))) ended_ = true;
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    ended_ = true;
  }

  bool stopped() const { return ended_ || (stop_ && *stop_); }
  const PlannedGame& operator[](size_t index) const { return plan_[index]; }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::span<const PlannedGame> plan_;
  const std::function<bool(size_t)>& wanted_;
  const std::function<bool(PlayedGame&&)>& finished_;
  const std::atomic<bool>* stop_;
  std::mutex mutex_;
  size_t next_ = 0;
  std::atomic<bool> ended_ = false;
  std::exception_ptr error_;
};

// A game under way.
struct Seating {
  Seating(size_t index, const PlannedGame& plan, const RuleSet& rules)
      : index(index), seats(plan.seats), game(rules, plan.seed, &events) {}

  size_t index;
  std::array<size_t, kSeats> seats;
  std::vector<Event> events;
  Game game;
  std::string fault;
};

// The tables of one thread.
class Worker {
 public:
  Worker(Schedule& schedule, const Players& players, const RuleSet& rules)
      : schedule_(schedule), players_(players), rules_(rules), asked_(players.size()) {}

  void run(size_t tables) {
    for (size_t table = 0; table < tables; ++table) seat_next();
    while (!tables_.empty() && !schedule_.stopped()) {
      collect();
      for (size_t player = 0; player < players_.size(); ++player) ask(player);
      for (const Asked& asked : asked_) choose(asked);
      replace_finished();
    }
  }

 private:
  // A question with the table it comes from.
  struct Asked {
    std::vector<Question> questions;
    std::vector<Seating*> tables;
    std::vector<Answer> answers;
  };

  void seat_next() {
    const std::optional<size_t> index = schedule_.next();
    if (!index) return;
    tables_.push_back(std::make_unique<Seating>(*index, schedule_[*index], rules_));
  }

  void collect() {
    for (Asked& asked : asked_) {
      asked.questions.clear();
      asked.tables.clear();
    }
    for (const auto& table : tables_)
      for (Seat seat = 0; seat < kSeats; ++seat) {
        if (!table->game.asks(seat)) continue;
        Asked& asked = asked_[table->seats[seat]];
        asked.questions.push_back({.table = &table->game.table(),
                                   .seat = seat,
                                   .game = table->index,
                                   .events = table->events});
        asked.tables.push_back(table.get());
      }
  }

  void ask(size_t player) {
    Asked& asked = asked_[player];
    asked.answers.assign(asked.questions.size(), {});
    if (!asked.questions.empty()) players_[player]->answer(asked.questions, asked.answers);
  }

  // Once everything is answered: a choice moves its table on, which others may have been asked
  // about.
  void choose(const Asked& asked) {
    for (size_t i = 0; i < asked.answers.size(); ++i) {
      Seating& table = *asked.tables[i];
      const Question& question = asked.questions[i];
      if (!table.fault.empty()) continue;
      table.fault = asked.answers[i].fault;
      if (table.fault.empty()) table.game.choose(question.seat, asked.answers[i].action);
    }
  }

  void replace_finished() {
    for (size_t i = 0; i < tables_.size();) {
      Seating& table = *tables_[i];
      if (!table.game.over() && table.fault.empty()) {
        ++i;
        continue;
      }
      for (const size_t player : players_of(table))
        players_[player]->end_game(table.index, table.events);
      schedule_.finish(played(table));
      std::swap(tables_[i], tables_.back());
      tables_.pop_back();
      seat_next();
    }
  }

  static std::set<size_t> players_of(const Seating& table) {
    return {table.seats.begin(), table.seats.end()};
  }

  static PlayedGame played(Seating& table) {
    if (table.fault.empty()) return played_game(table.index, std::move(table.events));
    return {.index = table.index, .events = std::move(table.events), .fault = table.fault};
  }

  Schedule& schedule_;
  const Players& players_;
  const RuleSet& rules_;
  std::vector<std::unique_ptr<Seating>> tables_;
  std::vector<Asked> asked_;
};

// At how many tables nobody is asked to sit in more seats than it can hold. One is always played.
size_t most_tables(std::span<const PlannedGame> plan, const Players& players) {
  size_t most = SIZE_MAX;
  for (size_t player = 0; player < players.size(); ++player) {
    std::ptrdiff_t seats = 0;
    for (const PlannedGame& game : plan)
      seats = std::max(seats, std::ranges::count(game.seats, player));
    if (seats > 0)
      most = std::min(most, players[player]->most_seats() / static_cast<size_t>(seats));
  }
  return std::max<size_t>(most, 1);
}

// The tables of one worker among many, all of whom share `most`.
size_t share_of(int worker, const ArenaOptions& options, size_t most) {
  const auto workers = static_cast<size_t>(options.workers);
  const size_t share = most / workers + (static_cast<size_t>(worker) < most % workers ? 1 : 0);
  return std::min(share, static_cast<size_t>(options.tables));
}

}  // namespace

std::vector<PlannedGame> duplicate_plan(size_t sets, uint64_t seed) {
  std::vector<PlannedGame> plan;
  plan.reserve(sets * kSeats);
  SplitMix64 seeds(seed);
  for (size_t set = 0; set < sets; ++set) {
    const uint64_t walls = seeds.next();
    for (int alone = 0; alone < kSeats; ++alone) {
      PlannedGame& game = plan.emplace_back(PlannedGame{walls, {1, 1, 1, 1}});
      game.seats[alone] = 0;
    }
  }
  return plan;
}

std::vector<PlannedGame> rotating_plan(size_t games, size_t players, uint64_t seed) {
  std::vector<PlannedGame> plan;
  plan.reserve(games);
  SplitMix64 seeds(seed);
  for (size_t game = 0; game < games; ++game) {
    PlannedGame& planned = plan.emplace_back(PlannedGame{.seed = seeds.next(), .seats = {}});
    for (size_t place = 0; place < kSeats; ++place)
      planned.seats[(place + game) % kSeats] = place % players;
  }
  return plan;
}

PlayedGame played_game(size_t index, std::vector<Event> events) {
  PlayedGame game{.index = index, .events = std::move(events), .fault = {}};
  const RuleSet& rules = std::get<StartGame>(game.events.front()).rules;
  game.scores = *std::get<EndGame>(game.events.back()).scores;
  const std::array<Seat, kSeats> order = ranking(game.scores, rules);
  for (int rank = 0; rank < kSeats; ++rank) game.rank[order[rank]] = rank;
  return game;
}

void play_games(std::span<const PlannedGame> plan, const Players& players,
                const ArenaOptions& options, const std::function<bool(size_t)>& wanted,
                const std::function<bool(PlayedGame&&)>& finished, const std::atomic<bool>* stop) {
  Schedule schedule(plan, wanted, finished, stop);
  const size_t most = most_tables(plan, players);
  std::vector<std::thread> threads;
  for (int worker = 0; worker < options.workers; ++worker)
    threads.emplace_back([&, tables = share_of(worker, options, most)] {
      try {
        Worker(schedule, players, options.rules).run(tables);
      } catch (...) {
        schedule.fail(std::current_exception());
      }
    });
  for (std::thread& thread : threads) thread.join();
  schedule.rethrow();
}

}  // namespace ippatsu::play
