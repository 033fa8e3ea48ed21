#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "records/draw_names.h"
#include "records/json_fields.h"
#include "records/read_record.h"
#include "records/tenhou_turns.h"

namespace ippatsu::mahjong {

namespace {

constexpr size_t kBytesPerEvent = 4;  // about
constexpr size_t kMostRounds = 200;
constexpr size_t kMostEntries = 64;  // in one column; a round has 70 draws for all four seats
constexpr int kFirstColumn = 4;
constexpr int kColumnsPerSeat = 3;  // hand, takes, puts
constexpr int kMostHan = 100;       // of one yaku
constexpr int kMostHonba = 1000;
constexpr int kMostResults = 8;

constexpr std::string_view kWon = "和了";

std::vector<Tile> tiles(const Json& value, std::string_view name, size_t least, size_t most) {
  std::vector<Tile> tiles;
  tiles.reserve(most);
  for (const Json& code : list(value, name, least, most))
    tiles.push_back(tile_from_tenhou_code(integer(code, name, 0, 99)));
  return tiles;
}

class TenhouJsonReader {
 public:
  explicit TenhouJsonReader(std::string source) {
    record_.source = std::move(source);
    record_.unit = PlaceUnit::Event;
  }

  Record read(std::string_view text) {
    record_.events.reserve(std::min(text.size() / kBytesPerEvent, kMostReserved));
    try {
      read_game(parse_json(text));
    } catch (const Error& error) {
      throw error.within(record_.source);
    }
    return std::move(record_);
  }

 private:
  void read_game(const Json& game) {
    const Json& rounds = list(field(game, "log"), "log", 0, kMostRounds);
    StartGame start{.names = {}, .rules = rules(game, rounds)};
    for (const Json& name : list(field(game, "name"), "name", 3, kSeats))
      start.names.emplace_back(mahjong::text(name, "name"));
    start.names.resize(start.rules.players);
    rules_ = start.rules;
    add(std::move(start));
    int number = 0;
    for (const Json& round : rounds) {
      ++number;
      try {
        read_round(round);
      } catch (const Error& error) {
        throw error.within(fmt::format("round {} of the log", number));
      }
    }
    add(EndGame{final_scores(game)});
  }

  // The title of the rules spells them out; a hand without a fourth one shows three players.
  static RuleSet rules(const Json& game, const Json& rounds) {
    RuleSet rules;
    if (!rounds.empty() && rounds[0].is_array() && rounds[0].size() > kFirstColumn + 9)
      rules.players = rounds[0][kFirstColumn + 9].empty() ? 3 : 4;
    const Json* rule = optional_field(game, "rule");
    if (!rule) return rules;
    int64_t reds = 0;
    for (const char* name : {"aka", "aka51", "aka52", "aka53"})
      if (const Json* red = optional_field(*rule, name)) reds += integer(*red, name, 0, 4);
    rules.red_fives = reds > 0;
    if (const Json* shown = optional_field(*rule, "disp")) {
      const std::string_view title = mahjong::text(*shown, "disp");
      rules.open_tanyao = title.find("喰") != title.npos;
      rules.length = title.find("東") != title.npos ? Length::East : Length::South;
    }
    return rules;
  }

  // Points and placement alternate.
  static std::optional<Scores> final_scores(const Json& game) {
    const Json* results = optional_field(game, "sc");
    if (!results) return std::nullopt;
    Scores scores{};
    const Json& entries = list(*results, "sc", 6, 2 * kSeats);
    for (size_t i = 0; i < entries.size(); i += 2)
      scores[i / 2] = static_cast<int32_t>(integer(entries[i], "sc", -10'000'000, 10'000'000));
    return scores;
  }

  void read_round(const Json& round) {
    constexpr size_t kColumns = kFirstColumn + kColumnsPerSeat * kSeats + 1;
    list(round, "round", kColumns, kColumns);
    indicators_ = tiles(round[2], "dora indicators", 1, kMostIndicators);
    turned_ = 1;
    waiting_dora_ = 0;
    riichi_ = 0;
    Columns columns;
    const StartRound start = start_round(round, columns);
    add(start);
    for (const Turn& turn : turns(columns, start.dealer, rules_.players)) add_turn(turn);
    add_result(round[kColumns - 1],
               indicators_of(tiles(round[3], "ura indicators", 0, kMostIndicators)));
    add(EndRound{});
  }

  StartRound start_round(const Json& round, Columns& columns) const {
    StartRound start;
    const Json& counters = list(round[0], "round counters", 3, 3);
    const int64_t number = integer(counters[0], "round counters", 0, 4 * kSeats - 1);
    start.round_wind = static_cast<Wind>(number / kSeats);
    start.number = static_cast<int>(number % kSeats) + 1;
    start.dealer = static_cast<Seat>(number % kSeats);
    start.honba = static_cast<int>(integer(counters[1], "honba", 0, kMostHonba));
    start.sticks = static_cast<int>(integer(counters[2], "sticks", 0, kMostHonba));
    start.scores = points(round[1], "scores");
    start.dora_indicator = indicators_[0];
    for (int seat = 0; seat < rules_.players; ++seat) {
      const size_t first = kFirstColumn + kColumnsPerSeat * seat;
      const std::vector<Tile> hand = tiles(round[first], "hand", kHandTiles, kHandTiles);
      std::ranges::copy(hand, start.hands[seat].begin());
      columns[seat] = column(round[first + 1], round[first + 2], static_cast<Seat>(seat));
    }
    return start;
  }

  static Column column(const Json& takes, const Json& puts, Seat seat) {
    Column column;
    column.takes.reserve(kMostEntries);
    column.puts.reserve(kMostEntries);
    for (const Json& entry : list(takes, "takes", 0, kMostEntries))
      column.takes.push_back(entry.is_string() ? take_of_text(mahjong::text(entry, "take"), seat)
                                               : take_of_code(integer(entry, "take", 0, 99)));
    for (const Json& entry : list(puts, "puts", 0, kMostEntries))
      column.puts.push_back(entry.is_string() ? put_of_text(mahjong::text(entry, "put"), seat)
                                              : put_of_code(integer(entry, "put", 0, 99)));
    return column;
  }

  void add_turn(const Turn& turn) {
    accept_riichi();
    if (const Tile* drawn = std::get_if<Tile>(&turn.take)) {
      last_tile_ = *drawn;
      add(Draw{turn.seat, *drawn});
    } else {
      const Call& call = std::get<Call>(turn.take);
      add(call);
      if (call.kind == CallKind::OpenKan) ++waiting_dora_;
    }
    last_drew_ = std::holds_alternative<Tile>(turn.take);
    if (turn.put) add_put(turn);
  }

  void add_put(const Turn& turn) {
    const Put& put = *turn.put;
    if (const auto* kan = std::get_if<ClosedKan>(&put)) {
      last_tile_ = kan->tiles[0];
      add(*kan);
      ++waiting_dora_;
      turn_dora();
    } else if (const auto* added = std::get_if<AddedKan>(&put)) {
      last_tile_ = added->added;
      add(*added);
      turn_dora();  // of the kan before
      ++waiting_dora_;
    } else if (const auto* north = std::get_if<Kita>(&put)) {
      last_tile_ = Tile::of_kind(kEast + static_cast<int>(Wind::North));
      add(*north);
    } else if (const auto* thrown = std::get_if<Thrown>(&put)) {
      add_discard(turn, *thrown);
    } else {
      return;  // nothing, after an open kan
    }
    last_drew_ = false;
  }

  void add_discard(const Turn& turn, const Thrown& thrown) {
    if (thrown.declares_riichi) add(RiichiDeclared{turn.seat});
    last_tile_ = thrown.tile ? *thrown.tile : drawn_in(turn);
    add(Discard{.seat = turn.seat, .tile = last_tile_, .tsumogiri = !thrown.tile});
    if (thrown.declares_riichi) unaccepted_ = turn.seat;
    turn_dora();
  }

  void accept_riichi() {
    if (!unaccepted_) return;
    add(RiichiAccepted{*unaccepted_});
    riichi_ |= 1U << *unaccepted_;
    unaccepted_.reset();
  }

  // The log lists all indicators of a round; a closed kan's is turned at once, the others' by the
  // discard or the kan that follows.
  void turn_dora() {
    for (; waiting_dora_ > 0; --waiting_dora_)
      if (turned_ < indicators_.size()) add(Dora{indicators_[turned_++]});
  }

  void add_result(const Json& result, const Indicators& ura) {
    waiting_dora_ = static_cast<int>(indicators_.size());
    turn_dora();
    list(result, "result", 1, kMostResults);
    const std::string_view name = mahjong::text(result[0], "result");
    if (name == kWon) return add_wins(result, ura);
    const DrawKind kind = draw_kind_of_tenhou(name);
    if (kind != DrawKind::TripleRon) accept_riichi();
    unaccepted_.reset();
    const bool tells = result.size() > 1;
    add(RoundDraw{kind, tells ? std::optional(points(result[1], "deltas")) : std::nullopt});
  }

  // These logs are edited by hand, too: where the stated winner gains nothing, the points tell who
  // won.
  static Seat winner(Seat stated, const Scores& deltas) {
    if (deltas[stated] > 0) return stated;
    return static_cast<Seat>(std::ranges::max_element(deltas) - deltas.begin());
  }

  // Pairs of deltas and [winner, loser, who is liable, texts ...].
  void add_wins(const Json& result, const Indicators& ura) {
    if (last_drew_) accept_riichi();
    unaccepted_.reset();
    if (result.size() < 3) fail("a won round has no winner");
    for (size_t i = 1; i + 1 < result.size(); i += 2) {
      const Json& who = list(result[i + 1], "winner", 2, 100);
      const Scores deltas = points(result[i], "deltas");
      Win win{.seat = winner(seat(who[0], "winner"), deltas),
              .from = seat(who[1], "loser"),
              .tile = last_tile_,
              .deltas = deltas};
      // One list for all winners, yet only riichi looks at it.
      if (riichi_ >> win.seat & 1) win.ura_indicators = ura;
      if (who.size() > 2)
        if (const Seat liable = seat(who[2], "liable seat"); liable != win.seat)
          win.liable = liable;
      win.stated = stated_value(who);
      add(win);
    }
  }

  // After the three seats: a text such as "30符2飜2000点", then "立直(1飜)" ... or "大三元(役満)".
  static StatedValue stated_value(const Json& who) {
    StatedValue value;
    for (size_t i = 3; i < who.size(); ++i) {
      const std::string_view text = mahjong::text(who[i], "yaku");
      if (i == 3)
        read_points(text, value);
      else
        read_yaku(text, value);
    }
    return value;
  }

  static void read_yaku(std::string_view text, StatedValue& value) {
    const size_t parenthesis = std::min(text.find('('), text.size());
    const auto row =
        std::ranges::find(yaku_table(), text.substr(0, parenthesis), &YakuRow::japanese);
    if (row == yaku_table().end() || value.yaku.full())
      fail("'{}' is no yaku of Tenhou's", text.substr(0, 48));
    text.remove_prefix(std::min(parenthesis + 1, text.size()));
    const int han = text.starts_with("役満") ? kYakumanHan : leading_number(text);
    if (han > kMostHan) fail("'{}' is worth more than any yaku", text.substr(0, 48));
    if (han == 0) return;
    value.yaku.push_back({row->yaku, static_cast<uint8_t>(han)});
    value.han = value.han.value_or(0) + han;
  }

  // "40符3飜5200点", "30符4飜2000-3900点", "満貫4000点∀": fu unless there is a limit, and what each
  // pays.
  static void read_points(std::string_view text, StatedValue& value) {
    if (text.find("符") != text.npos) value.fu = leading_number(text);
    const size_t end = text.rfind("点");
    if (end == text.npos) return;
    size_t begin = end;
    while (begin > 0 && (is_digit(text[begin - 1]) || text[begin - 1] == '-')) --begin;
    const std::string_view points = text.substr(begin, end - begin);
    const size_t dash = points.find('-');
    const int first = leading_number(points);
    if (dash != points.npos)
      value.points = 2 * first + leading_number(points.substr(dash + 1));
    else
      value.points = text.ends_with("∀") ? 3 * first : first;
  }

  // 0 where the text begins with no digit.
  static int leading_number(std::string_view text) {
    int number = 0;
    std::from_chars(text.data(), text.data() + std::min<size_t>(text.size(), 6), number);
    return number;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  template <typename Happened>
  void add(Happened&& event) {
    const auto place = static_cast<uint32_t>(record_.events.size() + 1);
    record_.events.emplace_back(std::forward<Happened>(event), place);
  }

  Record record_;
  RuleSet rules_;
  std::vector<Tile> indicators_;
  size_t turned_ = 0;
  int waiting_dora_ = 0;
  std::optional<Seat> unaccepted_;
  unsigned riichi_ = 0;  // whose was accepted: a bit a seat
  Tile last_tile_;
  bool last_drew_ = false;
};

}  // namespace

Record read_tenhou_json(std::string_view text, std::string source) {
  return TenhouJsonReader(std::move(source)).read(text);
}

}  // namespace ippatsu::mahjong
