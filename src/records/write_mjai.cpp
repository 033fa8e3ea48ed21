#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "records/dora_order.h"
#include "records/draw_names.h"
#include "records/mjai_event.h"
#include "records/write_record.h"

namespace ippatsu::mahjong {

namespace {

using Line = nlohmann::ordered_json;

constexpr std::string_view kHidden = "?";
constexpr int kSouthToo = 0, kEastOnly = 4;  // of kyoku_first, as read_mjai.cpp has it

Line names_of(std::span<const Tile> tiles) {
  Line names = Line::array();
  for (const Tile tile : tiles) names.push_back(mjai_name(tile));
  return names;
}

std::string_view wind_name(Wind wind) {
  return mjai_name(Tile::of_kind(kEast + static_cast<int>(wind)));
}

class EventWriter {
 public:
  EventWriter(const RuleSet& rules, std::optional<Seat> viewer) : rules_(rules), viewer_(viewer) {}

  Line line_of(const StartGame& game) const {
    Line line{{"type", "start_game"}};
    if (viewer_) line["id"] = *viewer_;
    if (!game.names.empty()) line["names"] = game.names;
    line["aka_flag"] = game.rules.red_fives;
    line["kyoku_first"] = game.rules.length == Length::South ? kSouthToo : kEastOnly;
    if (!game.rules.open_tanyao) line["open_tanyao"] = false;
    if (!game.wall_seed.empty() && !viewer_) line["wall_seed"] = game.wall_seed;
    return line;
  }

  Line line_of(const StartRound& round) const {
    Line hands = Line::array();
    for (int seat = 0; seat < rules_.players; ++seat)
      hands.push_back(hides(seat) ? Line(kHandTiles, kHidden) : names_of(round.hands[seat]));
    return {{"type", "start_kyoku"},
            {"bakaze", wind_name(round.round_wind)},
            {"dora_marker", mjai_name(round.dora_indicator)},
            {"kyoku", round.number},
            {"honba", round.honba},
            {"kyotaku", round.sticks},
            {"oya", round.dealer},
            {"scores", points(round.scores)},
            {"tehais", std::move(hands)}};
  }

  Line line_of(const Draw& draw) const {
    return {{"type", "tsumo"},
            {"actor", draw.seat},
            {"pai", hides(draw.seat) ? kHidden : mjai_name(draw.tile)}};
  }

  Line line_of(const Discard& discard) const {
    return {{"type", "dahai"},
            {"actor", discard.seat},
            {"pai", mjai_name(discard.tile)},
            {"tsumogiri", discard.tsumogiri}};
  }

  Line line_of(const Call& call) const {
    constexpr std::array<std::string_view, 3> kTypes = {"chi", "pon", "daiminkan"};
    return {{"type", kTypes[static_cast<size_t>(call.kind)]},
            {"actor", call.seat},
            {"target", call.from},
            {"pai", mjai_name(call.called)},
            {"consumed", names_of(std::span(call.own).first(call.own_count()))}};
  }

  Line line_of(const ClosedKan& kan) const {
    return {{"type", "ankan"}, {"actor", kan.seat}, {"consumed", names_of(kan.tiles)}};
  }

  // The three tiles of the pon: a red five among them where the added one is not it.
  Line line_of(const AddedKan& kan) const {
    std::array<Tile, kCopies - 1> pon;
    pon.fill(Tile::of_kind(kan.added.kind()));
    if (rules_.red_fives && is_five(kan.added.kind()) && !kan.added.red())
      pon.back() = Tile::red_five(suit_of(kan.added.kind()));
    return {{"type", "kakan"},
            {"actor", kan.seat},
            {"pai", mjai_name(kan.added)},
            {"consumed", names_of(pon)}};
  }

  Line line_of(const Kita& north) const {
    return {{"type", "kita"}, {"actor", north.seat}, {"pai", mjai_name(kNorth)}};
  }

  Line line_of(const Dora& dora) const {
    return {{"type", "dora"}, {"dora_marker", mjai_name(dora.indicator)}};
  }

  Line line_of(const RiichiDeclared& riichi) const {
    return {{"type", "reach"}, {"actor", riichi.seat}};
  }

  Line line_of(const RiichiAccepted& riichi) const {
    return {{"type", "reach_accepted"}, {"actor", riichi.seat}};
  }

  Line line_of(const Win& win) const {
    Line line{{"type", "hora"},
              {"actor", win.seat},
              {"target", win.from},
              {"pai", mjai_name(win.tile)},
              {"ura_markers", names_of(win.ura_indicators)}};
    if (win.deltas) line["deltas"] = points(*win.deltas);
    return line;
  }

  Line line_of(const RoundDraw& draw) const {
    Line line{{"type", "ryukyoku"}};
    if (const std::string_view reason = mjai_reason_of(draw.kind); !reason.empty())
      line["reason"] = reason;
    if (draw.deltas) line["deltas"] = points(*draw.deltas);
    return line;
  }

  Line line_of(const EndRound&) const { return {{"type", "end_kyoku"}}; }

  Line line_of(const EndGame& end) const {
    Line line{{"type", "end_game"}};
    if (end.scores) line["scores"] = points(*end.scores);
    return line;
  }

 private:
  bool hides(int seat) const { return viewer_ && *viewer_ != seat; }
  Line points(const Scores& scores) const { return Line(std::span(scores).first(rules_.players)); }

  const RuleSet& rules_;
  std::optional<Seat> viewer_;
};

}  // namespace

Line mjai_of(const Event& event, const RuleSet& rules, std::optional<Seat> viewer) {
  const EventWriter writer(rules, viewer);
  return std::visit([&](const auto& happened) { return writer.line_of(happened); }, event);
}

std::string write_mjai(const Record& record) {
  // Tenhou's order, which riichienv's logs and the converters from Tenhou keep as well: the
  // indicator of an open or added kan stands before the discard that turns it.
  std::vector<RecordedEvent> events = record.events;
  show_dora_before_discards(events);
  RuleSet rules;
  std::string text;
  for (const auto& [event, place] : events) {
    if (const auto* game = std::get_if<StartGame>(&event)) rules = game->rules;
    text += mjai_of(event, rules).dump(-1, ' ', false, Line::error_handler_t::replace);
    text += '\n';
  }
  return text;
}

}  // namespace ippatsu::mahjong
