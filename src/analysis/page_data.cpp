#include "analysis/page_data.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/words.h"

namespace ippatsu::analysis {

using namespace mahjong;
using nlohmann::ordered_json;

namespace {

constexpr double kDecimals = 1e4;  // of a probability

ordered_json rounded(double value) { return std::round(value * kDecimals) / kDecimals; }

ordered_json pair(const Words& words) { return {words.ja, words.en}; }

char letter(Tile tile) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk";
  static_assert(kLetters.size() == kTiles);
  return kLetters[tile.index()];
}

template <typename Tiles>
std::string letters(const Tiles& tiles) {
  std::string out;
  for (const Tile tile : tiles) out += letter(tile);
  return out;
}

std::string hand(const SeatState& seat) {
  Concealed rest = seat.concealed;
  if (seat.drawn) rest.remove(*seat.drawn);
  return letters(in_order(rest));
}

std::string river(const SeatState& seat) {
  std::string out;
  for (const Discarded& discard : seat.discards) {
    out += letter(discard.tile);
    out += static_cast<char>('0' + (discard.tsumogiri ? 1 : 0) + (discard.declares_riichi ? 2 : 0) +
                             (discard.called_away ? 4 : 0));
  }
  return out;
}

// Where the called tile lies: on the side of the seat that it came from.
size_t place_of_called(const Meld& meld, Seat owner, size_t own) {
  switch ((meld.from - owner + kSeats) % kSeats) {
    case 1:
      return own;  // from the right
    case 2:
      return 1;
    default:
      return 0;
  }
}

std::string closed_kan(const Meld& meld) {
  std::string out;
  for (size_t i = 0; i < meld.size; ++i) {
    out += letter(meld.all[i]);
    out += i == 0 || i == 3 ? '2' : '0';
  }
  return out;
}

std::string lying(const Meld& meld, Seat owner) {
  if (meld.kind == MeldKind::ClosedKan) return closed_kan(meld);
  const bool added = meld.kind == MeldKind::AddedKan;
  std::vector<Tile> own(meld.tiles().begin(), meld.tiles().end());
  own.erase(std::ranges::find(own, meld.called));
  std::string out;
  const std::string on_top = added ? std::string{letter(own.back()), '3'} : "";
  if (added) own.pop_back();
  const size_t called = place_of_called(meld, owner, own.size());
  for (size_t i = 0; i <= own.size(); ++i) {
    if (i == called) out += std::string{letter(meld.called), '1'} + on_top;
    if (i < own.size()) out += std::string{letter(own[i]), '0'};
  }
  return out;
}

ordered_json seats(const Table& table) {
  ordered_json out = ordered_json::array();
  for (Seat seat = 0; seat < table.rules().players; ++seat) {
    const SeatState& state = table.seat(seat);
    ordered_json melds = ordered_json::array();
    for (const Meld& meld : state.melds) melds.push_back(lying(meld, seat));
    out.push_back({{"hand", hand(state)},
                   {"drawn", state.drawn ? std::string(1, letter(*state.drawn)) : ""},
                   {"melds", melds},
                   {"river", river(state)},
                   {"norths", state.kitas},
                   {"riichi", state.riichi == Riichi::Accepted},
                   {"score", table.scores()[seat]}});
  }
  return out;
}

// A word for each action, but for discards and kans, which show their tile, and for the tiles that
// a call would take from the hand.
ordered_json label(const Turn& turn, Action action, bool own_turn) {
  ordered_json out{{"word", pair(action_words(action, own_turn))}};
  if (action.is_discard()) return {{"tile", std::string(1, letter(action.tile()))}};
  if (action.is_kan()) out["tiles"] = std::string(1, letter(Tile::of_kind(action.kind())));
  if (action.is_chi() || action.is_pon() || action == Action::open_kan()) {
    const Call call = turn.table.call_of(turn.seat, action);
    out["tiles"] = letters(std::span(call.own.data(), static_cast<size_t>(call.own_count())));
  }
  return out;
}

ordered_json probabilities(const Turn& turn, Action action,
                           const std::vector<AdviserFacts>& advisers) {
  ordered_json out = ordered_json::array();
  for (size_t i = 0; i < advisers.size(); ++i) {
    const bool known = turn.opinions[i] && advisers[i].speaks_of(action);
    out.push_back(known ? rounded(turn.opinions[i]->of(action)) : ordered_json());
  }
  return out;
}

ordered_json actions(const Turn& turn, const std::vector<AdviserFacts>& advisers) {
  const ActionSet& legal = turn.view().legal();
  const bool own_turn = turn.seat == turn.table.turn();
  const std::array<double, kKinds> risk = deal_in_risk(turn.view());
  ordered_json out = ordered_json::array();
  for (int i = 0; i < legal.size(); ++i) {
    const Action action = legal.nth(i);
    ordered_json row = label(turn, action, own_turn);
    row["p"] = probabilities(turn, action, advisers);
    if (action.is_discard()) row["risk"] = std::round(risk[action.tile().kind()] * 10) / 10;
    if (action == turn.chosen) row["chosen"] = true;
    out.push_back(row);
  }
  return out;
}

bool is_bad(const Turn& turn, double bad_below) {
  return std::ranges::any_of(turn.opinions, [&](const auto& opinion) {
    return opinion && opinion->of(turn.chosen) < bad_below;
  });
}

ordered_json json(const Turn& turn, const Analysis& analysis) {
  const Table& table = turn.table;
  ordered_json out{{"turn", turn.index},
                   {"round", turn.round},
                   {"seat", turn.seat},
                   {"tsumogiri", turn.tsumogiri},
                   {"bad", is_bad(turn, analysis.bad_below)},
                   {"dora", letters(table.dora_indicators())},
                   {"left", table.tiles_left()},
                   {"sticks", table.sticks()},
                   {"seats", seats(table)},
                   {"actions", actions(turn, analysis.advisers)}};
  if (turn.seat != table.turn()) {
    out["from"] = table.turn();
    if (const auto tile = table.winning_tile()) out["claimed"] = std::string(1, letter(*tile));
  }
  return out;
}

ordered_json json(const Round& round) {
  StartRound without_honba = round.start;
  without_honba.honba = 0;
  return {{"name", pair(round_words(round.start))},
          {"title", pair(round_words(without_honba))},
          {"honba", round.start.honba},
          {"dealer", round.start.dealer}};
}

}  // namespace

ordered_json page_data(const Analysis& analysis) {
  ordered_json advisers = ordered_json::array(), rounds = advisers, turns = advisers;
  for (const AdviserFacts& facts : analysis.advisers) advisers.push_back(facts.name);
  for (const Round& round : analysis.course.rounds) rounds.push_back(json(round));
  for (const Turn& turn : analysis.turns) turns.push_back(json(turn, analysis));
  return {{"players", analysis.course.game.names},
          {"advisers", advisers},
          {"bad_below", analysis.bad_below},
          {"rounds", rounds},
          {"turns", turns}};
}

std::vector<Tile> in_order(const Concealed& concealed) {
  std::vector<Tile> tiles;
  for (int kind = 0; kind < kKinds; ++kind) {
    const Tile black = Tile::of_kind(kind);
    tiles.insert(tiles.end(), static_cast<size_t>(concealed.count(black)), black);
    if (!is_five(kind)) continue;
    const Tile red = Tile::red_five(suit_of(kind));
    tiles.insert(tiles.end(), static_cast<size_t>(concealed.count(red)), red);
  }
  return tiles;
}

}  // namespace ippatsu::analysis
