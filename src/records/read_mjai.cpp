#include <algorithm>

#include "base/error.h"
#include "records/dora_order.h"
#include "records/draw_names.h"
#include "records/json_fields.h"
#include "records/mjai_event.h"
#include "records/read_record.h"

namespace ippatsu::mahjong {

namespace {

constexpr size_t kBytesPerEvent = 32;  // about
constexpr int kMostHonba = 1000;
constexpr int kMostSticks = 1000;
constexpr int kEastOnly = 4;  // of kyoku_first: the game ends with East 4

Tile tile(const Json& value, std::string_view name) {
  const std::string_view pai = text(value, name);
  if (pai == "?") fail("'{}' is hidden: only a record that shows all tiles can be read", name);
  return tile_from_mjai(pai);
}

template <size_t N>
void fill_tiles(const Json& value, std::string_view name, std::array<Tile, N>& tiles,
                size_t count) {
  size_t i = 0;
  for (const Json& entry : list(value, name, count, count)) tiles[i++] = tile(entry, name);
}

Wind wind(const Json& value, std::string_view name) {
  const Tile named = tile(value, name);
  if (named.kind() < kEast || named.kind() > kEast + static_cast<int>(Wind::North))
    fail("'{}' is no wind", name);
  return static_cast<Wind>(named.kind() - kEast);
}

// How many hands were dealt: with three players the fourth is missing or empty.
int dealt_hands(const Json& hands) {
  return hands.size() == kSeats && !hands[3].empty() ? kSeats : kSeats - 1;
}

// One event; what it names last in the open is kept for the next.
class EventReading {
 public:
  EventReading(std::optional<Seat> viewer, Tile& last_open)
      : viewer_(viewer), last_open_(last_open) {}

  Event read(const Json& event) {
    struct Row {
      std::string_view type;
      Event (EventReading::*read)(const Json&);
    };
    static constexpr std::array<Row, 18> kRows = {
        {{"tsumo", &EventReading::read_draw},
         {"dahai", &EventReading::read_discard},
         {"pon", &EventReading::read_call<CallKind::Pon>},
         {"chi", &EventReading::read_call<CallKind::Chi>},
         {"daiminkan", &EventReading::read_call<CallKind::OpenKan>},
         {"ankan", &EventReading::read_closed_kan},
         {"kakan", &EventReading::read_added_kan},
         {"kita", &EventReading::read_kita},
         {"nukidora", &EventReading::read_kita},
         {"dora", &EventReading::read_dora},
         {"reach", &EventReading::read_riichi<RiichiDeclared>},
         {"reach_accepted", &EventReading::read_riichi<RiichiAccepted>},
         {"hora", &EventReading::read_win},
         {"ryukyoku", &EventReading::read_round_draw},
         {"start_kyoku", &EventReading::read_start_round},
         {"end_kyoku", &EventReading::read_end_round},
         {"start_game", &EventReading::read_start_game},
         {"end_game", &EventReading::read_end_game}}};
    const std::string_view type = text(field(event, "type"), "type");
    const auto row = std::ranges::find(kRows, type, &Row::type);
    if (row == kRows.end()) fail("'{}' is no mjai event", type.substr(0, 32));
    try {
      return (this->*row->read)(event);
    } catch (const Error& error) {
      throw error.within(type);
    }
  }

 private:
  Event read_start_game(const Json& event) {
    StartGame game;
    if (const Json* names = optional_field(event, "names"))
      for (const Json& name : list(*names, "names", 3, kSeats))
        game.names.emplace_back(text(name, "names"));
    if (game.names.size() == 3) game.rules.players = 3;
    if (const Json* reds = optional_field(event, "aka_flag"))
      game.rules.red_fives = flag(*reds, "aka_flag");
    if (const Json* first = optional_field(event, "kyoku_first"))
      if (integer(*first, "kyoku_first", 0, 16) == kEastOnly) game.rules.length = Length::East;
    // Keys of our own; no program that we know writes them or minds them.
    if (const Json* open = optional_field(event, "open_tanyao"))
      game.rules.open_tanyao = flag(*open, "open_tanyao");
    if (const Json* seed = optional_field(event, "wall_seed"))
      game.wall_seed = text(*seed, "wall_seed");
    return game;
  }

  Event read_start_round(const Json& event) {
    StartRound round;
    round.round_wind = wind(field(event, "bakaze"), "bakaze");
    round.number = static_cast<int>(integer(field(event, "kyoku"), "kyoku", 1, kSeats));
    round.honba = static_cast<int>(integer(field(event, "honba"), "honba", 0, kMostHonba));
    round.sticks = static_cast<int>(integer(field(event, "kyotaku"), "kyotaku", 0, kMostSticks));
    round.dealer = seat(field(event, "oya"), "oya");
    round.dora_indicator = tile(field(event, "dora_marker"), "dora_marker");
    round.scores = points(field(event, "scores"), "scores");
    const Json& hands = list(field(event, "tehais"), "tehais", 3, kSeats);
    for (int seat = 0; seat < dealt_hands(hands); ++seat)
      if (!hides(seat)) fill_tiles(hands[seat], "tehais", round.hands[seat], kHandTiles);
    return round;
  }

  Event read_draw(const Json& event) {
    const Seat seat = actor(event);
    return Draw{seat, hides(seat) ? Tile() : open_tile(event)};
  }

  Event read_discard(const Json& event) {
    const Tile discarded = open_tile(event);
    return Discard{.seat = actor(event),
                   .tile = discarded,
                   .tsumogiri = flag(field(event, "tsumogiri"), "tsumogiri")};
  }

  template <CallKind kind>
  Event read_call(const Json& event) {
    Call call{.seat = actor(event),
              .from = seat(field(event, "target"), "target"),
              .kind = kind,
              .called = tile(field(event, "pai"), "pai")};
    fill_tiles(field(event, "consumed"), "consumed", call.own, call.own_count());
    return call;
  }

  Event read_closed_kan(const Json& event) {
    ClosedKan kan{.seat = actor(event), .tiles = {}};
    fill_tiles(field(event, "consumed"), "consumed", kan.tiles, kan.tiles.size());
    last_open_ = kan.tiles[0];
    return kan;
  }

  Event read_added_kan(const Json& event) { return AddedKan{actor(event), open_tile(event)}; }

  Event read_kita(const Json& event) {
    last_open_ = tile_from_mjai("N");
    return Kita{actor(event)};
  }

  Event read_dora(const Json& event) {
    return Dora{tile(field(event, "dora_marker"), "dora_marker")};
  }

  template <typename Riichi>
  Event read_riichi(const Json& event) {
    return Riichi{actor(event)};
  }

  Event read_win(const Json& event) {
    Win win{.seat = actor(event), .from = seat(field(event, "target"), "target")};
    const Json* pai = optional_field(event, "pai");
    win.tile = pai ? tile(*pai, "pai") : last_open_;
    for (const char* name : {"ura_markers", "uradora_markers"})
      if (const Json* ura = optional_field(event, name)) {
        std::vector<Tile> tiles;
        for (const Json& marker : list(*ura, name, 0, kMostIndicators))
          tiles.push_back(tile(marker, name));
        win.ura_indicators = indicators_of(tiles);
      }
    win.deltas = deltas(event);
    return win;
  }

  Event read_round_draw(const Json& event) {
    const Json* reason = optional_field(event, "reason");
    return RoundDraw{reason ? draw_kind_of_mjai(text(*reason, "reason")) : DrawKind::Unspecified,
                     deltas(event)};
  }

  Event read_end_round(const Json&) { return EndRound{}; }

  Event read_end_game(const Json& event) {
    const Json* scores = optional_field(event, "scores");
    return EndGame{scores ? std::optional(points(*scores, "scores")) : std::nullopt};
  }

  static Seat actor(const Json& event) { return seat(field(event, "actor"), "actor"); }

  static std::optional<Scores> deltas(const Json& event) {
    const Json* deltas = optional_field(event, "deltas");
    return deltas ? std::optional(points(*deltas, "deltas")) : std::nullopt;
  }

  // The event's tile, which a win that names none is on.
  Tile open_tile(const Json& event) { return last_open_ = tile(field(event, "pai"), "pai"); }

  bool hides(int seat) const { return viewer_ && *viewer_ != seat; }

  std::optional<Seat> viewer_;
  Tile& last_open_;
};

class MjaiReader {
 public:
  explicit MjaiReader(std::string source) {
    record_.source = std::move(source);
    record_.unit = PlaceUnit::Line;
  }

  Record read(std::string_view rest) {
    record_.events.reserve(std::min(rest.size() / kBytesPerEvent, kMostReserved));
    while (!rest.empty()) {
      const size_t length = std::min(rest.find('\n'), rest.size());
      ++line_;
      read_placed(rest.substr(0, length));
      rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    turn_dora_by_discards(record_.events);
    return std::move(record_);
  }

 private:
  void read_placed(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == line.npos) return;
    try {
      const Json json = parse_json(line);
      record_.events.emplace_back(reader_.read(json), line_);
      note_players(json);
    } catch (const Error& error) {
      throw error.within(to_string(PlaceUnit::Line, line_)).within(record_.source);
    }
  }

  // A game's first deal shows how many play, where its start did not.
  void note_players(const Json& json) {
    const Event& event = record_.events.back().event;
    if (std::holds_alternative<StartGame>(event)) started_game_ = record_.events.size() - 1;
    if (!started_game_ || !std::holds_alternative<StartRound>(event)) return;
    StartGame& game = std::get<StartGame>(record_.events[*started_game_].event);
    game.rules.players = dealt_hands(json["tehais"]);
    game.names.resize(game.rules.players);
    started_game_.reset();
  }

  Record record_;
  MjaiEventReader reader_;
  uint32_t line_ = 0;
  std::optional<size_t> started_game_;  // a StartGame whose first deal is still to come
};

}  // namespace

Event MjaiEventReader::read(const Json& event) {
  return EventReading(viewer_, last_open_).read(event);
}

Record read_mjai(std::string_view text, std::string source) {
  return MjaiReader(std::move(source)).read(text);
}

}  // namespace ippatsu::mahjong
