#include "analysis/analysis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "play/danger.h"
#include "records/replay.h"

namespace ippatsu::analysis {

using namespace mahjong;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// All choices of the game. The whole record is replayed, so that a fault anywhere in it is found.
std::vector<Turn> replay(const Record& record, int game) {
  std::vector<Turn> turns;
  Replayer replayer(record);
  int last_game = -1;
  while (const Decision* decision = replayer.next()) {
    last_game = decision->game;
    if (decision->game != game) continue;
    if (turns.size() == kMostTurns)
      fail("{}: a game with more than {} choices is not analysed", record.source, kMostTurns);
    turns.push_back({.table = *decision->view.table,
                     .seat = decision->view.seat,
                     .chosen = decision->chosen,
                     .tsumogiri = decision->tsumogiri,
                     .among_discards = decision->among_discards(),
                     .index = turns.size(),
                     .round = 0,
                     .event = decision->event});
  }
  if (turns.empty())
    throw NotInRecord("game",
                      fmt::format("{}: there is no game {} with choices; the last is game {}",
                                  record.source, game + 1, last_game + 1));
  return turns;
}

void note_rounds(std::vector<Turn>& turns, std::span<const Round> rounds) {
  size_t round = 0;
  for (Turn& turn : turns) {
    while (round + 1 < rounds.size() && rounds[round + 1].first_event <= turn.event) ++round;
    turn.round = round;
  }
}

std::vector<Turn> wanted(std::vector<Turn> turns, const Record& record,
                         const AnalysisOptions& options) {
  std::vector<bool> keep(turns.size(), !options.turns);
  for (const size_t index : options.turns.value_or(std::vector<size_t>{})) {
    if (index >= turns.size())
      throw NotInRecord("turns", fmt::format("{}: there is no turn {}; the game has {}, from 0",
                                             record.source, index, turns.size()));
    keep[index] = true;
  }
  std::erase_if(turns, [&](const Turn& turn) {
    return !keep[turn.index] || turn.seat != options.seat.value_or(turn.seat);
  });
  return turns;
}

void ask(Adviser& adviser, std::vector<Turn>& turns) {
  const bool discards_only = adviser.facts().discards_only;
  std::vector<DecisionView> decisions;
  std::vector<Turn*> asked;
  for (Turn& turn : turns) {
    turn.opinions.emplace_back();
    if (discards_only && !turn.among_discards) continue;
    decisions.push_back(turn.view());
    asked.push_back(&turn);
  }
  std::vector<Opinion> opinions(decisions.size());
  adviser.advise(decisions, opinions);
  for (size_t i = 0; i < asked.size(); ++i) asked[i]->opinions.back() = opinions[i];
}

Verdict judge(const Analysis& analysis, Seat seat, size_t adviser) {
  Verdict verdict{.seat = seat, .adviser = adviser};
  std::vector<double> shortfalls;
  for (size_t i = 0; i < analysis.turns.size(); ++i) {
    const Turn& turn = analysis.turns[i];
    const std::optional<Opinion>& opinion = turn.opinions[adviser];
    if (turn.seat != seat || !opinion) continue;
    ++verdict.turns;
    const Action best = opinion->best();
    if (turn.chosen == best) ++verdict.agreed;
    shortfalls.push_back(opinion->of(best) - opinion->of(turn.chosen));
    if (opinion->of(turn.chosen) < analysis.bad_below) verdict.bad.push_back(i);
  }
  verdict.similarity = similarity_of(shortfalls);
  return verdict;
}

}  // namespace

play::Estimate Verdict::agreement() const { return wilson(agreed, turns); }

Analysis analyse(const Record& record, std::span<Adviser* const> advisers,
                 const AnalysisOptions& options) {
  std::vector<Turn> turns = replay(record, options.game);
  Course course = course_of(record, options.game);
  if (options.seat && *options.seat >= course.players())
    throw NotInRecord("seat", fmt::format("{}: there is no seat {}; the game has {} players",
                                          record.source, *options.seat, course.players()));
  note_rounds(turns, course.rounds);
  Analysis analysis{.source = record.source,
                    .course = std::move(course),
                    .advisers = {},
                    .bad_below = options.bad_below,
                    .turns = wanted(std::move(turns), record, options),
                    .verdicts = {}};
  for (Adviser* adviser : advisers) {
    analysis.advisers.push_back(adviser->facts());
    ask(*adviser, analysis.turns);
  }
  for (int seat = 0; seat < analysis.course.players(); ++seat)
    for (size_t adviser = 0; adviser < advisers.size(); ++adviser)
      if (seat == options.seat.value_or(seat))
        analysis.verdicts.push_back(judge(analysis, static_cast<Seat>(seat), adviser));
  return analysis;
}

play::Estimate wilson(int successes, int trials) {
  if (trials == 0) return {kNone, kNone, kNone};
  constexpr double kDeviations = 1.959963984540054;  // of a normal distribution, for 95 %
  constexpr double kSquare = kDeviations * kDeviations;
  const double n = trials;
  const double share = successes / n;
  const double scale = 1 + kSquare / n;
  const double middle = (share + kSquare / (2 * n)) / scale;
  const double half =
      kDeviations / scale * std::sqrt(share * (1 - share) / n + kSquare / (4 * n * n));
  return {share, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

double similarity_of(std::span<const double> shortfalls) {
  double sum = 0;
  for (const double shortfall : shortfalls) sum += std::abs(shortfall);
  const auto n = static_cast<double>(shortfalls.size());
  return 100 * (n - sum) / n;
}

std::array<double, kKinds> deal_in_risk(const DecisionView& decision) {
  const play::Question question{
      .table = decision.table, .seat = decision.seat, .game = 0, .events = {}};
  return play::Threats(play::Sight(question)).by_kind;
}

}  // namespace ippatsu::analysis
