#pragma once

// A game looked at again: every choice that a seat had, what advisers think of it, and how far the
// players are from them.
//
//     RulesOfThumb rules;
//     Adviser* const advisers[] = {&rules};
//     const Analysis analysis = analyse(read_record("game.mjlog"), advisers);
//     write_file_atomically("game.html", to_html(analysis, Language::English));      // present.h

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/adviser.h"
#include "analysis/course.h"
#include "base/error.h"
#include "play/statistics.h"
#include "records/record.h"

namespace ippatsu::analysis {

// A choice that a seat had. Which choices there are, and when a seat is taken to have passed, is
// for records/replay.h to say.
struct Turn {
  mahjong::Table table;  // before the choice
  mahjong::Seat seat;
  mahjong::Action chosen;
  bool tsumogiri;
  bool among_discards;
  size_t index;  // among all choices of the game
  size_t round;  // index into the rounds
  size_t event;  // index into the record's events of what came of it
  std::vector<std::optional<Opinion>> opinions = {};  // by adviser; none where it was not asked

  mahjong::DecisionView view() const { return {.table = &table, .seat = seat}; }
};

// How a seat's choices and an adviser's opinions go together.
struct Verdict {
  mahjong::Seat seat;
  size_t adviser;
  int turns = 0;                 // on which it has an opinion
  int agreed = 0;                // where the choice was its best action
  double similarity = 0;         // similarity_of()
  std::vector<size_t> bad = {};  // indices into the turns: choices it gave less than `bad_below`

  play::Estimate agreement() const;  // agreed / turns; NaN without turns
};

struct AnalysisOptions {
  int game = 0;                                   // which of the record's, from 0
  std::optional<mahjong::Seat> seat = {};         // whose choices; all seats' without
  std::optional<std::vector<size_t>> turns = {};  // which choices, by index; all without
  double bad_below = 0.05;                        // a choice less probable than this is bad
};

struct Analysis {
  std::string source;  // the record's
  Course course;
  std::vector<AdviserFacts> advisers;
  double bad_below;
  std::vector<Turn> turns;
  std::vector<Verdict> verdicts;  // of each seat that is looked at, by each adviser
};

// An option asks for what the record does not hold.
class NotInRecord : public Error {
 public:
  NotInRecord(std::string_view option, const std::string& message)
      : Error(message), option_(option) {}

  std::string_view option() const { return option_; }  // "seat", as in AnalysisOptions

 private:
  std::string_view option_;
};

// A game with more choices than this is no game.
inline constexpr size_t kMostTurns = 20'000;

// Fails, naming source and place, where the record is impossible; with NotInRecord where it lacks
// the game, the seat or a turn that is asked for.
Analysis analyse(const mahjong::Record& record, std::span<Adviser* const> advisers,
                 const AnalysisOptions& options = {});

// The interval of 95 % of a share, after Wilson ("Probable inference, the law of succession, and
// statistical inference", 1927). NaN for 0 of 0.
play::Estimate wilson(int successes, int trials);

// 100 (N - sum |p_player - p_best|) / N over N choices: how much less likely the adviser finds what
// the player chose than its own best action. 100 is agreement throughout.
double similarity_of(std::span<const double> shortfalls);

// By kind, in percent: how likely a discard of the seat in question is to be won on, by rules of
// thumb (play/danger.h) and by what the seat sees. Not what any adviser thinks.
std::array<double, mahjong::kKinds> deal_in_risk(const mahjong::DecisionView& decision);

}  // namespace ippatsu::analysis
