#include "analysis/course.h"

#include "mahjong/payment.h"
#include "mahjong/table.h"

namespace ippatsu::analysis {

using namespace mahjong;

namespace {

class Follower {
 public:
  // Notes what the event means on the table as it is, then moves the table.
  void follow(const Event& event, size_t index) {
    if (const auto* round = std::get_if<StartRound>(&event)) start(*round, index);
    if (const auto* win = std::get_if<Win>(&event)) note(*win);
    if (const auto* draw = std::get_if<RoundDraw>(&event)) note(*draw);
    if (const auto* end = std::get_if<EndGame>(&event); end && !course_.rounds.empty())
      course_.rounds.back().scores = end->scores.value_or(table_.final_scores());
    if (const auto* game = std::get_if<StartGame>(&event)) course_.game = *game;
    table_.apply(event);
  }

  Course take() { return std::move(course_); }

 private:
  void start(const StartRound& round, size_t index) {
    if (!course_.rounds.empty()) course_.rounds.back().scores = round.scores;
    course_.rounds.push_back({.first_event = index, .start = round, .scores = round.scores});
  }

  void note(const Win& win) {
    WinningHand hand = table_.winning_hand(win.seat);
    hand.ura_indicators = win.ura_indicators;
    const auto value = hand_value(hand, table_.rules());
    course_.rounds.back().wins.push_back({win, hand, value});
  }

  void note(const RoundDraw& draw) {
    const bool stated = draw.kind != DrawKind::Unspecified;
    course_.rounds.back().draw = stated ? draw.kind : table_.due_draw().value_or(draw.kind);
  }

  Table table_;
  Course course_;
};

}  // namespace

Scores Course::final_scores() const { return rounds.empty() ? Scores{} : rounds.back().scores; }

Course course_of(const Record& record, int game) {
  Follower follower;
  int games = 0;
  for (size_t i = 0; i < record.events.size(); ++i) {
    const Event& event = record.events[i].event;
    games += std::holds_alternative<StartGame>(event);
    if (games == game + 1) follower.follow(event, i);
  }
  return follower.take();
}

std::array<int, kSeats> ranks_of(const Scores& scores, const RuleSet& rules) {
  std::array<int, kSeats> ranks{};
  const std::array<Seat, kSeats> order = ranking(scores, rules);
  for (int place = 0; place < kSeats; ++place) ranks[order[place]] = place + 1;
  return ranks;
}

}  // namespace ippatsu::analysis
