#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "mahjong/hand_value.h"
#include "mahjong/payment.h"
#include "mahjong/table.h"
#include "records/draw_names.h"
#include "records/tenhou_turns.h"
#include "records/write_record.h"

namespace ippatsu::mahjong {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kWon = "和了";
constexpr int kManganPoints = 8000, kDealerManganPoints = 12000;
constexpr int kRound = 100;  // payments are rounded up to this

struct LimitRow {
  int halves;  // of a mangan, that it is worth at least
  std::string_view name;
};

constexpr std::array<LimitRow, 5> kLimits = {
    {{8, "役満"}, {6, "三倍満"}, {4, "倍満"}, {3, "跳満"}, {2, "満貫"}}};

int mangan(bool dealer) { return dealer ? kDealerManganPoints : kManganPoints; }

// "満貫", or "30符2飜" below any limit. The points tell which: no hand below mangan reaches them.
std::string name_of_worth(const StatedValue& value, bool dealer) {
  for (const LimitRow& row : kLimits)
    if (2 * *value.points >= row.halves * mangan(dealer)) return std::string(row.name);
  return fmt::format("{}符{}飜", value.fu.value_or(0), value.han.value_or(0));
}

// What each pays: "2000点" by ron, "2000点∀" to the dealer by tsumo, else "1000-2000点", where the
// dealer pays twice as much but for rounding.
std::string text_of_payment(int points, bool dealer, bool tsumo) {
  if (!tsumo) return fmt::format("{}点", points);
  if (dealer) return fmt::format("{}点∀", points / 3);
  const int small = (points / 4 + kRound - 1) / kRound * kRound;
  return fmt::format("{}-{}点", small, points - 2 * small);
}

std::string text_of(const YakuHan& entry) {
  const YakuRow& row = row_of(entry.yaku);
  return row.is_yakuman() ? fmt::format("{}(役満)", row.japanese)
                          : fmt::format("{}({}飜)", row.japanese, entry.han);
}

// "南喰赤", and "三" in front for three players.
std::string title_of(const RuleSet& rules) {
  return fmt::format("{}{}{}{}", rules.players == kSeats ? "" : "三",
                     rules.length == Length::South ? "南" : "東", rules.open_tanyao ? "喰" : "",
                     rules.red_fives ? "赤" : "");
}

// As Tenhou has it.
Hand sorted(Hand hand) {
  std::ranges::sort(hand, {}, [](Tile tile) { return std::pair(tile.kind(), tile.red()); });
  return hand;
}

Json codes_of(std::span<const Tile> tiles) {
  Json codes = Json::array();
  for (const Tile tile : tiles) codes.push_back(tenhou_code(tile));
  return codes;
}

// Thousands over the target, rounded as Tenhou does (half goes down), and what the rank brings; the
// first takes what is left.
std::array<int, kSeats> placement_points(const Scores& scores, const RuleSet& rules) {
  const std::array<Seat, kSeats> ranks = ranking(scores, rules);
  std::array<int, kSeats> placement{};
  for (int rank = rules.players - 1; rank > 0; --rank) {
    const Seat seat = ranks[rank];
    const double thousands = (scores[seat] - rules.target_points) / 1000.0;
    placement[seat] = static_cast<int>(std::ceil(thousands - 0.5)) + rules.uma[rank];
    placement[ranks[0]] -= placement[seat];
  }
  return placement;
}

// The columns of a round while it is played.
struct Round {
  Json counters, scores, result;
  std::array<Json, kSeats> hands, takes, puts;
  Indicators dora, ura;
  std::vector<Call> pons;
};

class TenhouJsonWriter {
 public:
  explicit TenhouJsonWriter(const Record& record) : record_(record) {}

  std::string write() {
    for (const RecordedEvent& recorded : record_.events) try {
        std::visit([this](const auto& event) { add(event); }, recorded.event);
      } catch (const Error& error) {
        throw error.within(record_.where(recorded)).within(record_.source);
      }
    if (!ended_) fail("{}: the record does not end with the end of a game", record_.source);
    return game_.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  // What a win is worth and how a draw is due is asked before it happens.
  template <typename Happening>
  void add(const Happening& event) {
    write(event);
    table_.apply(event);
  }

  void write(const StartGame& game) {
    if (!game_.is_null()) fail("another game begins; a file in this format holds one");
    std::vector<std::string> names = game.names;
    names.resize(kSeats);
    game_ = {{"title", {"", ""}},
             {"name", std::move(names)},
             {"rule", {{"disp", title_of(game.rules)}, {"aka", game.rules.red_fives ? 1 : 0}}},
             {"log", Json::array()}};
  }

  void write(const StartRound& round) {
    if (round.dealer != round.number - 1)
      fail("seat {} deals round {}, which this format cannot say", round.dealer, round.number);
    round_ = {};
    round_.counters = {static_cast<int>(round.round_wind) * kSeats + round.number - 1, round.honba,
                       round.sticks};
    round_.scores = round.scores;
    round_.dora.push_back(round.dora_indicator);
    for (int seat = 0; seat < kSeats; ++seat) {
      const bool plays = seat < table_.rules().players;
      round_.hands[seat] = plays ? codes_of(sorted(round.hands[seat])) : Json::array();
      round_.takes[seat] = round_.puts[seat] = Json::array();
    }
  }

  void write(const Draw& draw) { round_.takes[draw.seat].push_back(tenhou_code(draw.tile)); }

  void write(const Discard& discard) {
    Json& puts = round_.puts[discard.seat];
    if (table_.phase() == Phase::DiscardAfterRiichi)
      puts.push_back(text_of_riichi(discard));
    else
      puts.push_back(discard.tsumogiri ? kDrawnTile : tenhou_code(discard.tile));
  }

  void write(const Call& call) {
    round_.takes[call.seat].push_back(mahjong::text_of(call));
    if (call.kind == CallKind::Pon) round_.pons.push_back(call);
    if (call.kind == CallKind::OpenKan) round_.puts[call.seat].push_back(kNothing);
  }

  void write(const ClosedKan& kan) { round_.puts[kan.seat].push_back(mahjong::text_of(kan)); }

  void write(const AddedKan& kan) {
    table_.check(kan);
    const auto pon = std::ranges::find_if(round_.pons, [&](const Call& call) {
      return call.seat == kan.seat && call.called.kind() == kan.added.kind();
    });
    round_.puts[kan.seat].push_back(mahjong::text_of(kan, *pon));
  }

  void write(const Kita& north) {
    round_.puts[north.seat].push_back(fmt::format("f{}", tenhou_code(kNorth)));
  }

  void write(const Dora& dora) {
    if (round_.dora.full()) fail("a round has at most {} indicators", kMostIndicators);
    round_.dora.push_back(dora.indicator);
  }

  // Seen from the discard that they come with.
  void write(const RiichiDeclared&) {}
  void write(const RiichiAccepted&) {}

  // The others' lists are empty, or the same.
  void write(const Win& win) {
    table_.check(win);
    if (win.ura_indicators.size() > round_.ura.size()) round_.ura = win.ura_indicators;
    Json& result = round_.result;
    if (result.is_null()) result = Json::array({kWon});
    result.push_back(win.deltas ? *win.deltas
                                : table_.win_deltas(win.seat, win.ura_indicators).value());
    const StatedValue value = value_of(win);
    const bool dealer = win.seat == table_.dealer();
    Json who = {win.seat, win.from, win.liable.value_or(win.seat)};
    who.push_back(name_of_worth(value, dealer) +
                  text_of_payment(*value.points, dealer, win.seat == win.from));
    for (const YakuHan& entry : value.yaku) who.push_back(text_of(entry));
    result.push_back(std::move(who));
  }

  // As the source states it where it does; by the rules otherwise.
  StatedValue value_of(const Win& win) const {
    const StatedValue& stated = win.stated;
    const bool four = table_.rules().players == kSeats;
    const bool limit = stated.points && *stated.points >= mangan(win.seat == table_.dealer());
    if (four && stated.points && !stated.yaku.empty() && (limit || stated.fu)) return stated;
    return computed_value(win);
  }

  StatedValue computed_value(const Win& win) const {
    WinningHand hand = table_.winning_hand(win.seat);
    hand.ura_indicators = win.ura_indicators;
    const std::optional<HandValue> value = hand_value(hand, table_.rules());
    if (!value) fail("seat {} wins without a yaku", win.seat);
    // The texts of three players are those of four, although nobody pays for the fourth.
    RuleSet rules = table_.rules();
    rules.players = kSeats;
    const WinPayment bare{.winner = win.seat, .from = win.from, .dealer = table_.dealer()};
    return {.yaku = value->yaku,
            .han = value->han,
            .fu = value->fu,
            .points = win_deltas(*value, bare, rules)[win.seat]};
  }

  void write(const RoundDraw& draw) {
    const DrawKind kind = draw.kind != DrawKind::Unspecified
                              ? draw.kind
                              : table_.due_draw().value_or(DrawKind::Exhaustive);
    round_.result = Json::array({tenhou_name_of(kind)});
    if (kind == DrawKind::Exhaustive || kind == DrawKind::NagashiMangan)
      round_.result.push_back(draw.deltas ? *draw.deltas : table_.draw_deltas(kind));
  }

  void write(const EndRound&) {
    const Round& played = round_;
    Json round = {played.counters, played.scores, codes_of(played.dora), codes_of(played.ura)};
    for (int seat = 0; seat < kSeats; ++seat)
      for (const auto* columns : {&played.hands, &played.takes, &played.puts})
        round.push_back((*columns)[seat]);
    round.push_back(played.result);
    game_["log"].push_back(std::move(round));
  }

  void write(const EndGame& end) {
    ended_ = true;
    if (!end.scores) return;
    const std::array<int, kSeats> placement = placement_points(*end.scores, table_.rules());
    Json results = Json::array();
    for (int seat = 0; seat < kSeats; ++seat) {
      results.push_back((*end.scores)[seat]);
      results.push_back(placement[seat]);
    }
    game_["sc"] = std::move(results);
  }

  const Record& record_;
  Table table_;
  Json game_;
  Round round_;
  bool ended_ = false;
};

}  // namespace

std::string write_tenhou_json(const Record& record) { return TenhouJsonWriter(record).write(); }

}  // namespace ippatsu::mahjong
