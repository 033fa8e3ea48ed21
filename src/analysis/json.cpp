#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/present.h"

namespace ippatsu::analysis {

using namespace mahjong;
using nlohmann::ordered_json;

namespace {

constexpr double kDecimals = 1e6;  // of a probability

ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(std::round(value * kDecimals) / kDecimals)
                              : ordered_json();
}

template <typename Items, typename ToJson>
ordered_json list(const Items& items, const ToJson& to_json) {
  ordered_json out = ordered_json::array();
  for (const auto& item : items) out.push_back(to_json(item));
  return out;
}

ordered_json by_seat(const Scores& scores, int players) {
  return std::vector<int32_t>(scores.begin(), scores.begin() + players);
}

ordered_json tiles(std::span<const Tile> all) {
  return list(all, [](Tile tile) { return mjai_name(tile); });
}

ordered_json rules(const RuleSet& rules) {
  return {{"players", rules.players},
          {"length", rules.length == Length::South ? "south" : "east"},
          {"red_fives", rules.red_fives},
          {"open_tanyao", rules.open_tanyao}};
}

ordered_json players(const Course& course) {
  const Scores scores = course.final_scores();
  const std::array<int, kSeats> ranks = ranks_of(scores, course.game.rules);
  ordered_json out = ordered_json::array();
  for (int seat = 0; seat < course.players(); ++seat)
    out.push_back({{"seat", seat},
                   {"name", course.game.names[seat]},
                   {"score", scores[seat]},
                   {"rank", ranks[seat]}});
  return out;
}

ordered_json json(const AdviserFacts& facts) {
  return {{"name", facts.name},
          {"what", facts.what},
          {"sha256", facts.sha256.empty() ? ordered_json() : ordered_json(facts.sha256)},
          {"discards_only", facts.discards_only}};
}

ordered_json json(const YakuHan& yaku) {
  const YakuRow& row = row_of(yaku.yaku);
  return {{"yaku", row.name}, {"japanese", row.japanese}, {"han", yaku.han}};
}

ordered_json json(const WonHand& won) {
  ordered_json out{{"seat", won.win.seat}, {"from", won.win.from}};
  out["tile"] = mjai_name(won.win.tile);
  out["ura_indicators"] = tiles({won.win.ura_indicators.begin(), won.win.ura_indicators.end()});
  out["yaku"] = ordered_json::array();
  if (!won.value) return out;
  out["yaku"] = list(won.value->yaku, [](const YakuHan& yaku) { return json(yaku); });
  out["han"] = won.value->han;
  out["fu"] = won.value->fu;
  return out;
}

ordered_json json(const Round& round, int players) {
  return {{"wind", wind_words(round.start.round_wind).en},
          {"number", round.start.number},
          {"honba", round.start.honba},
          {"sticks", round.start.sticks},
          {"dealer", round.start.dealer},
          {"scores_before", by_seat(round.start.scores, players)},
          {"scores_after", by_seat(round.scores, players)},
          {"wins", list(round.wins, [](const WonHand& won) { return json(won); })},
          {"draw", round.draw ? ordered_json(name_of(*round.draw)) : ordered_json()}};
}

ordered_json json(const std::optional<Opinion>& opinion, const AdviserFacts& adviser,
                  const ActionSet& legal) {
  if (!opinion) return {};
  ordered_json probabilities = ordered_json::array();
  for (int i = 0; i < legal.size(); ++i) {
    const Action action = legal.nth(i);
    const bool known = adviser.speaks_of(action);
    probabilities.push_back(known ? number(opinion->of(action)) : ordered_json());
  }
  return {{"best", to_string(opinion->best())}, {"probabilities", probabilities}};
}

// In the order of `legal`; null for what is no discard.
ordered_json risks(const Turn& turn, const ActionSet& legal) {
  const std::array<double, kKinds> risk = deal_in_risk(turn.view());
  ordered_json out = ordered_json::array();
  for (int i = 0; i < legal.size(); ++i) {
    const Action action = legal.nth(i);
    out.push_back(action.is_discard() ? number(risk[action.tile().kind()]) : ordered_json());
  }
  return out;
}

ordered_json json(const Turn& turn, const std::vector<AdviserFacts>& advisers) {
  const ActionSet& legal = turn.view().legal();
  ordered_json names = ordered_json::array(), opinions = names;
  for (int i = 0; i < legal.size(); ++i) names.push_back(to_string(legal.nth(i)));
  for (size_t i = 0; i < advisers.size(); ++i)
    opinions.push_back(json(turn.opinions[i], advisers[i], legal));
  return {{"turn", turn.index},
          {"round", turn.round},
          {"event", turn.event},
          {"seat", turn.seat},
          {"chosen", to_string(turn.chosen)},
          {"legal", names},
          {"risk_percent", risks(turn, legal)},
          {"opinions", opinions}};
}

ordered_json json(const Verdict& verdict, const std::vector<Turn>& turns) {
  const play::Estimate agreement = verdict.agreement();
  return {{"seat", verdict.seat},
          {"adviser", verdict.adviser},
          {"turns", verdict.turns},
          {"agreed", verdict.agreed},
          {"agreement", number(agreement.value)},
          {"agreement_low", number(agreement.low)},
          {"agreement_high", number(agreement.high)},
          {"similarity", number(verdict.similarity)},
          {"bad", list(verdict.bad, [&](size_t bad) { return turns[bad].index; })}};
}

}  // namespace

ordered_json to_json(const Analysis& analysis) {
  const int seats = analysis.course.players();
  const auto& turns = analysis.turns;
  return {{"schema", kSchema},
          {"source", analysis.source},
          {"rules", rules(analysis.course.game.rules)},
          {"players", players(analysis.course)},
          {"advisers", list(analysis.advisers, [](const auto& facts) { return json(facts); })},
          {"bad_below", analysis.bad_below},
          {"verdicts",
           list(analysis.verdicts, [&](const auto& verdict) { return json(verdict, turns); })},
          {"rounds",
           list(analysis.course.rounds, [&](const auto& round) { return json(round, seats); })},
          {"turns", list(turns, [&](const Turn& turn) { return json(turn, analysis.advisers); })}};
}

}  // namespace ippatsu::analysis
