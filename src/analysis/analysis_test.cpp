#include "analysis/analysis.h"

#include <cmath>
#include <filesystem>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/plain_advisers.h"
#include "base/error.h"
#include "play/greedy_player.h"
#include "records/read_record.h"

namespace ippatsu::analysis {
namespace {

using namespace mahjong;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* kGame = "tests/records/open-kan.json";
constexpr const char* kThreePlayers = "tests/records/three-players.json";
constexpr const char* kRealGames = "../shared/records";

// Thinks that of the legal actions the first has 3/4 and the last the rest.
class FirstOfAll : public Adviser {
 public:
  AdviserFacts facts() const override { return {.name = "first", .what = "a stub"}; }
  void advise(std::span<const DecisionView> decisions, std::span<Opinion> opinions) override {
    for (size_t i = 0; i < decisions.size(); ++i) {
      const ActionSet& legal = decisions[i].legal();
      opinions[i].probability[legal.nth(0).index()] = 0.75F;
      opinions[i].probability[legal.nth(legal.size() - 1).index()] = 0.25F;
    }
  }
};

Analysis analysed(const std::filesystem::path& path, Adviser& adviser,
                  const AnalysisOptions& options = {}) {
  Adviser* const advisers[] = {&adviser};
  return analyse(read_record(path), advisers, options);
}

std::vector<std::filesystem::path> real_games() {
  std::vector<std::filesystem::path> games;
  if (!std::filesystem::exists(kRealGames)) return games;
  for (const auto& entry : std::filesystem::directory_iterator(kRealGames))
    if (entry.path().extension() == ".mjlog") games.push_back(entry.path());
  std::ranges::sort(games);
  return games;
}

TEST(Wilson, IsTheClosedForm) {
  constexpr double z2 = 1.959963984540054 * 1.959963984540054;
  for (const int n : {1, 7, 100}) {
    EXPECT_NEAR(wilson(0, n).low, 0, 1e-12);
    EXPECT_NEAR(wilson(0, n).high, z2 / (n + z2), 1e-12);
    EXPECT_NEAR(wilson(n, n).low, n / (n + z2), 1e-12);
    EXPECT_NEAR(wilson(n, n).high, 1, 1e-12);
  }
  // The roots of (share - p)^2 = z^2 p (1 - p) / n.
  for (const auto& [k, n] : {std::pair{8, 10}, {1, 3}, {317, 801}}) {
    const play::Estimate estimate = wilson(k, n);
    const double share = static_cast<double>(k) / n;
    EXPECT_EQ(estimate.value, share);
    for (const double p : {estimate.low, estimate.high})
      EXPECT_NEAR((share - p) * (share - p), z2 * p * (1 - p) / n, 1e-12);
    EXPECT_LT(estimate.low, share);
    EXPECT_GT(estimate.high, share);
  }
  EXPECT_TRUE(std::isnan(wilson(0, 0).value));
}

TEST(Similarity, IsWhatTheChoicesLackOfTheBest) {
  EXPECT_DOUBLE_EQ(similarity_of(std::vector<double>{0, 0, 0}), 100);
  EXPECT_DOUBLE_EQ(similarity_of(std::vector<double>{0.2, 0.3}), 75);
  EXPECT_DOUBLE_EQ(similarity_of(std::vector<double>{1}), 0);
  EXPECT_TRUE(std::isnan(similarity_of({})));
}

TEST(Analysis, CountsWhatAgreesAndWhatIsBad) {
  FirstOfAll adviser;
  const Analysis analysis = analysed(kGame, adviser);
  ASSERT_EQ(analysis.verdicts.size(), 4U);
  for (const Verdict& verdict : analysis.verdicts) {
    int turns = 0, agreed = 0, neither = 0;
    double shortfall = 0;
    for (const Turn& turn : analysis.turns) {
      if (turn.seat != verdict.seat) continue;
      const ActionSet& legal = turn.view().legal();
      const bool first = turn.chosen == legal.nth(0);
      const bool last = turn.chosen == legal.nth(legal.size() - 1);
      ++turns;
      agreed += first;
      neither += !first && !last;
      shortfall += first ? 0 : last ? 0.5 : 0.75;
    }
    EXPECT_GT(turns, 0);
    EXPECT_EQ(verdict.turns, turns);
    EXPECT_EQ(verdict.agreed, agreed);
    EXPECT_EQ(verdict.bad.size(), static_cast<size_t>(neither));
    EXPECT_NEAR(verdict.similarity, 100 * (turns - shortfall) / turns, 1e-9);
  }
}

TEST(Analysis, LooksAtTheTurnsThatAreAskedFor) {
  RulesOfThumb adviser;
  const Analysis all = analysed(kGame, adviser);
  const Analysis some = analysed(kGame, adviser, {.turns = std::vector<size_t>{5, 2, 5}});
  ASSERT_EQ(some.turns.size(), 2U);
  EXPECT_EQ(some.turns[0].index, 2U);
  EXPECT_EQ(some.turns[1].table, all.turns[5].table);
  EXPECT_EQ(some.turns[1].opinions[0]->probability, all.turns[5].opinions[0]->probability);
  const Analysis one = analysed(kGame, adviser, {.seat = Seat{2}});
  EXPECT_EQ(one.verdicts.size(), 1U);
  for (const Turn& turn : one.turns) EXPECT_EQ(turn.seat, 2);
}

TEST(Analysis, RefusesWhatIsNotThere) {
  RulesOfThumb adviser;
  const auto refuses = [&](const char* path, const AnalysisOptions& options, const char* why) {
    EXPECT_THAT([&] { analysed(path, adviser, options); },
                ThrowsMessage<Error>(testing::AllOf(HasSubstr(path), HasSubstr(why))));
  };
  refuses(kGame, {.game = 1}, "there is no game 2 with choices");
  refuses(kGame, {.turns = std::vector<size_t>{99999}}, "there is no turn 99999");
  refuses(kThreePlayers, {.seat = Seat{3}}, "there is no seat 3; the game has 3 players");
}

TEST(Analysis, TellsTheRoundsOfRealGames) {
  RulesOfThumb adviser;
  for (const auto& path : real_games()) {
    const Record record = read_record(path);
    Adviser* const advisers[] = {&adviser};
    const Analysis analysis = analyse(record, advisers);
    const auto& rounds = analysis.course.rounds;
    EXPECT_EQ(rounds.size(),
              std::ranges::count_if(record.events,
                                    [](const RecordedEvent& event) {
                                      return std::holds_alternative<StartRound>(event.event);
                                    }))
        << path;
    for (const Round& round : rounds) {
      EXPECT_NE(round.wins.empty(), !round.draw) << path;
      for (const WonHand& won : round.wins) {
        ASSERT_TRUE(won.value) << path;
        EXPECT_EQ(won.value->yaku.size(), won.win.stated.yaku.size()) << path;
      }
    }
    const auto& end = std::get<EndGame>(record.events.back().event);
    EXPECT_EQ(analysis.course.final_scores(), end.scores.value()) << path;
    for (const Turn& turn : analysis.turns) {
      EXPECT_EQ(turn.table.number(), rounds[turn.round].start.number);
      EXPECT_EQ(turn.table.honba(), rounds[turn.round].start.honba);
    }
  }
}

TEST(PlainAdvisers, HoldWhatTheirPlayersChooseForBest) {
  RulesOfThumb graded;
  const auto greedy = std::make_shared<play::GreedyPlayer>();
  ChoiceOf plain(greedy);
  const play::HeuristicPlayer heuristic;
  Adviser* const advisers[] = {&graded, &plain};
  const Analysis analysis = analyse(read_record(kGame), advisers);
  for (const Turn& turn : analysis.turns) {
    const play::Question question{&turn.table, turn.seat, 0, {}};
    EXPECT_EQ(turn.opinions[0]->best(), heuristic.choose(question));
    EXPECT_EQ(turn.opinions[1]->of(greedy->choose(question)), 1);
    for (const auto& opinion : turn.opinions) {
      const auto& p = opinion->probability;
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-5);
      for (int i = 0; i < Action::kCount; ++i)
        EXPECT_TRUE(turn.view().legal().contains(Action::of_index(i)) || p[i] == 0);
    }
  }
  EXPECT_EQ(plain_adviser("nobody"), nullptr);
}

TEST(Ranks, OfEqualPointsTheFirstDealersComeFirst) {
  EXPECT_EQ(ranks_of({25000, 25000, 26000, 24000}, RuleSet{}), (std::array{2, 3, 1, 4}));
}

}  // namespace
}  // namespace ippatsu::analysis
