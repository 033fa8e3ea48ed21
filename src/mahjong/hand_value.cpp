#include "mahjong/hand_value.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "mahjong/hand_reading.h"

namespace ippatsu::mahjong {

namespace {

constexpr int kSevenPairsFu = 25;
constexpr int kAlmostMangan = 1920;  // 4 han 30 fu, 3 han 60 fu

struct LimitRow {
  int han;  // at least
  Limit limit;
  int base_points;
};

constexpr std::array kLimits = {
    LimitRow{kYakumanHan, Limit::Yakuman, kYakumanPoints},
    LimitRow{11, Limit::Sanbaiman, 6000},
    LimitRow{8, Limit::Baiman, 4000},
    LimitRow{6, Limit::Haneman, 3000},
    LimitRow{5, Limit::Mangan, kManganPoints},
};

int fu_of(const HandSet& set) {
  if (set.run) return 0;
  return 2 * (is_terminal_or_honor(set.lowest) ? 2 : 1) * (set.concealed ? 2 : 1) *
         (set.kan ? 4 : 1);
}

int fu_of_pair(const Reading& reading) {
  const WinSituation& situation = reading.situation();
  const int wind = reading.pair - kEast;
  const bool seat = wind == static_cast<int>(situation.seat_wind);
  const bool round = wind == static_cast<int>(situation.round_wind);
  if (seat && round) return reading.rules->double_wind_fu ? 4 : 2;
  return seat || round || is_dragon(reading.pair) ? 2 : 0;
}

bool tsumo_scores(const Reading& reading) {
  const WinSituation& situation = reading.situation();
  return situation.tsumo && row_of(Yaku::Pinfu).han(reading) == 0 &&
         (reading.rules->rinshan_fu || !situation.replacement);
}

int sum(const FuParts& fu) {
  return fu.base + fu.closed_ron + fu.tsumo + fu.wait + fu.pair + fu.sets + fu.open_pinfu;
}

FuParts fu_parts(const Reading& reading) {
  if (reading.form == Form::ThirteenOrphans) return {};
  if (reading.form == Form::SevenPairs) return {.base = kSevenPairsFu};
  FuParts fu{.base = 20};
  if (reading.closed && !reading.situation().tsumo) fu.closed_ron = 10;
  if (tsumo_scores(reading)) fu.tsumo = 2;
  const bool one_kind = reading.wait != Wait::TwoSided && reading.wait != Wait::Triplet;
  if (one_kind) fu.wait = 2;
  fu.pair = static_cast<uint8_t>(fu_of_pair(reading));
  for (const HandSet& set : reading.sets) fu.sets += static_cast<uint8_t>(fu_of(set));
  if (!reading.closed && sum(fu) == 20) fu.open_pinfu = 2;
  return fu;
}

int rounded(const FuParts& fu) {
  return fu.base == kSevenPairsFu ? kSevenPairsFu : (sum(fu) + 9) / 10 * 10;
}

YakuList yaku_of(const Reading& reading, bool yakuman) {
  YakuList list;
  for (const YakuRow& row : yaku_table())
    if (row.is_yakuman() == yakuman)
      if (const int han = row.han(reading)) list.push_back({row.yaku, static_cast<uint8_t>(han)});
  return list;
}

template <typename Visit>
void for_each_tile(const WinningHand& hand, const Visit& visit) {
  for (int index = 0; index < kTiles; ++index)
    visit(Tile::of_index(index), hand.concealed.count(Tile::of_index(index)));
  for (const Meld& meld : hand.melds)
    for (const Tile tile : meld.tiles()) visit(tile, 1);
  visit(kNorth, hand.norths);
}

int dora(const WinningHand& hand, const Indicators& indicators, int players) {
  int han = 0;
  for (const Tile indicator : indicators) {
    const int dora = dora_kind(indicator.kind(), players);
    for_each_tile(hand, [&](Tile tile, int count) { han += tile.kind() == dora ? count : 0; });
  }
  return han;
}

int red_fives(const WinningHand& hand) {
  int han = 0;
  for_each_tile(hand, [&](Tile tile, int count) { han += tile.red() ? count : 0; });
  return han;
}

void add_dora(YakuList& list, const WinningHand& hand, const RuleSet& rules) {
  const auto add = [&](Yaku yaku, int han) {
    if (han > 0) list.push_back({yaku, static_cast<uint8_t>(han)});
  };
  add(Yaku::Dora, hand.norths + dora(hand, hand.dora_indicators, rules.players));
  if (hand.situation.riichi != RiichiState::None)
    add(Yaku::UraDora, dora(hand, hand.ura_indicators, rules.players));
  add(Yaku::RedFive, red_fives(hand));
}

int total_han(const YakuList& list) {
  int han = 0;
  for (const YakuHan& yaku : list) han += yaku.han;
  return han;
}

void count_yakuman(HandValue& value, const RuleSet& rules) {
  const auto most = std::ranges::max(value.yaku, {}, &YakuHan::han).han;
  value.han = rules.added_yakuman ? total_han(value.yaku) : most;
  value.yakuman = value.han / kYakumanHan;
  value.limit = Limit::Yakuman;
  value.base_points = value.yakuman * kYakumanPoints;
}

void count_han(HandValue& value, const RuleSet& rules) {
  value.han = total_han(value.yaku);
  const int han = rules.counted_yakuman ? value.han : std::min(value.han, kYakumanHan - 1);
  for (const LimitRow& row : kLimits) {
    if (han < row.han) continue;
    value.limit = row.limit;
    value.base_points = row.base_points;
    return;
  }
  value.base_points = value.fu << (2 + han);
  if (value.base_points >= (rules.kiriage_mangan ? kAlmostMangan : kManganPoints)) {
    value.limit = Limit::Mangan;
    value.base_points = kManganPoints;
  }
}

// Without yaku its list is empty.
HandValue value_of(const Reading& reading) {
  HandValue value;
  value.fu_parts = fu_parts(reading);
  value.fu = rounded(value.fu_parts);
  value.yaku = yaku_of(reading, true);
  if (!value.yaku.empty()) {
    count_yakuman(value, *reading.rules);
    return value;
  }
  value.yaku = yaku_of(reading, false);
  if (value.yaku.empty()) return value;
  add_dora(value.yaku, *reading.hand, *reading.rules);
  count_han(value, *reading.rules);
  return value;
}

auto rank_of(const HandValue& value) {
  return std::make_tuple(value.base_points, value.yakuman, value.han, value.fu);
}

}  // namespace

std::optional<HandValue> hand_value(const WinningHand& hand, const RuleSet& rules) {
  HandValue best;
  for (const Reading& reading : readings_of(hand, rules)) {
    const HandValue value = value_of(reading);
    if (!value.yaku.empty() && rank_of(value) > rank_of(best)) best = value;
  }
  return best.yaku.empty() ? std::nullopt : std::optional(best);
}

bool has_yaku(const WinningHand& hand, const RuleSet& rules) {
  return std::ranges::any_of(readings_of(hand, rules), [](const Reading& reading) {
    return std::ranges::any_of(yaku_table(),
                               [&](const YakuRow& row) { return row.han(reading) > 0; });
  });
}

}  // namespace ippatsu::mahjong
