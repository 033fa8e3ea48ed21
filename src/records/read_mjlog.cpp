#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <pugixml.hpp>

#include "base/error.h"
#include "records/dora_order.h"
#include "records/read_record.h"
#include "records/tenhou_meld.h"

namespace ippatsu::mahjong {

namespace {

constexpr size_t kBytesPerEvent = 12;  // about
constexpr int kPointsPerUnit = 100;
constexpr int64_t kLargest = 1'000'000;  // any number in a log; points are in hundreds
constexpr size_t kMostNumbers = 64;      // in one attribute
constexpr int64_t kMostHan = 100;        // of one yaku

int64_t parse_number(std::string_view text, std::string_view attribute) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < -kLargest ||
      value > kLargest)
    fail("attribute {}: '{}' is not a number in range", attribute, text.substr(0, 32));
  return value;
}

std::string_view text_of(const pugi::xml_node& node, const char* attribute) {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) fail("attribute {} is missing", attribute);
  return found.value();
}

int64_t number_of(const pugi::xml_node& node, const char* attribute) {
  return parse_number(text_of(node, attribute), attribute);
}

template <typename Visit>
void for_each_field(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    visit(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

std::vector<int64_t> numbers_of(const pugi::xml_node& node, const char* attribute, size_t least) {
  std::vector<int64_t> numbers;
  for_each_field(text_of(node, attribute), [&](std::string_view field) {
    if (numbers.size() == kMostNumbers) fail("attribute {} is too long", attribute);
    // Final results carry a decimal part, which no one here needs.
    numbers.push_back(parse_number(field.substr(0, field.find('.')), attribute));
  });
  if (numbers.size() < least)
    fail("attribute {} has {} numbers, but needs {}", attribute, numbers.size(), least);
  return numbers;
}

Seat seat_of(const pugi::xml_node& node, const char* attribute) {
  const int64_t seat = number_of(node, attribute);
  if (seat < 0 || seat >= kSeats) fail("attribute {}: {} is not a seat (0..3)", attribute, seat);
  return static_cast<Seat>(seat);
}

// Every second number from `first` on, one a seat, times 100.
Scores points_of(const std::vector<int64_t>& numbers, size_t first, size_t stride) {
  Scores points{};
  for (size_t seat = 0, i = first; seat < kSeats && i < numbers.size(); ++seat, i += stride)
    points[seat] = static_cast<int32_t>(numbers[i] * kPointsPerUnit);
  return points;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                        hex_digit(text[i + 2]) >= 0;
    decoded +=
        escape ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return decoded;
}

DrawKind draw_kind(std::string_view type) {
  struct Row {
    std::string_view type;
    DrawKind kind;
  };
  constexpr std::array<Row, 7> kRows = {{{"", DrawKind::Exhaustive},
                                         {"nm", DrawKind::NagashiMangan},
                                         {"yao9", DrawKind::NineTerminals},
                                         {"kaze4", DrawKind::FourWinds},
                                         {"reach4", DrawKind::FourRiichi},
                                         {"kan4", DrawKind::FourKans},
                                         {"ron3", DrawKind::TripleRon}}};
  const auto row = std::ranges::find(kRows, type, &Row::type);
  if (row == kRows.end()) fail("'{}' is no known reason for a drawn round", type.substr(0, 32));
  return row->kind;
}

class MjlogReader {
 public:
  explicit MjlogReader(std::string source) {
    record_.source = std::move(source);
    record_.unit = PlaceUnit::Byte;
  }

  Record read(std::string_view text) {
    pugi::xml_document document;
    const pugi::xml_parse_result result =
        document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result)
      throw Error(fmt::format("is not whole XML: {}", result.description()))
          .within(to_string(PlaceUnit::Byte, static_cast<uint64_t>(result.offset)))
          .within(record_.source);
    const pugi::xml_node log = document.child("mjloggm");
    if (!log) fail("{}: byte 0: the XML has no <mjloggm>, so is no Tenhou log", record_.source);
    record_.events.reserve(std::min(text.size() / kBytesPerEvent, kMostReserved));
    for (const pugi::xml_node& node : log.children()) read_placed(node);
    close_game();
    turn_dora_by_discards(record_.events);
    return std::move(record_);
  }

 private:
  void read_placed(const pugi::xml_node& node) {
    place_ = static_cast<uint32_t>(std::max<ptrdiff_t>(0, node.offset_debug()));
    const std::string_view name = node.name();
    try {
      if (node.first_child()) fail("the element has content, which no log element has");
      if (!read_tile_element(name)) read_element(name, node);
    } catch (const Error& error) {
      throw error.within(fmt::format("<{}>", name.substr(0, 16)))
          .within(to_string(PlaceUnit::Byte, place_))
          .within(record_.source);
    }
  }

  // Draws are T U V W and an id, discards D E F G and an id, by seat.
  bool read_tile_element(std::string_view name) {
    if (name.size() < 2 || name[1] < '0' || name[1] > '9') return false;
    const bool draw = name[0] >= 'T' && name[0] <= 'W';
    const bool discard = name[0] >= 'D' && name[0] <= 'G';
    if (!draw && !discard) return false;
    const auto id = static_cast<int>(parse_number(name.substr(1), "tile"));
    const Tile tile = tile_from_tenhou_id(id, rules_.red_fives);
    if (draw) {
      const auto seat = static_cast<Seat>(name[0] - 'T');
      add(Draw{seat, tile});
      drawn_id_ = id;
    } else {
      const auto seat = static_cast<Seat>(name[0] - 'D');
      add(Discard{.seat = seat, .tile = tile, .tsumogiri = id == drawn_id_});
      drawn_id_ = kNothingDrawn;
    }
    return true;
  }

  void read_element(std::string_view name, const pugi::xml_node& node) {
    struct Row {
      std::string_view name;
      void (MjlogReader::*read)(const pugi::xml_node&);
    };
    static constexpr std::array<Row, 12> kRows = {{{"N", &MjlogReader::read_meld},
                                                   {"REACH", &MjlogReader::read_riichi},
                                                   {"DORA", &MjlogReader::read_dora},
                                                   {"INIT", &MjlogReader::read_init},
                                                   {"AGARI", &MjlogReader::read_win},
                                                   {"RYUUKYOKU", &MjlogReader::read_round_draw},
                                                   {"GO", &MjlogReader::read_rules},
                                                   {"UN", &MjlogReader::read_names},
                                                   {"SHUFFLE", &MjlogReader::read_seed},
                                                   {"TAIKYOKU", &MjlogReader::skip},
                                                   {"BYE", &MjlogReader::skip},
                                                   {"", &MjlogReader::skip}}};  // a comment
    const auto row = std::ranges::find(kRows, name, &Row::name);
    if (row == kRows.end()) fail("is no element of a Tenhou log");
    (this->*row->read)(node);
  }

  void skip(const pugi::xml_node&) {}

  void read_seed(const pugi::xml_node& node) { wall_seed_ = node.attribute("seed").value(); }

  // Bits of the type: 1 no red fives, 2 no open tanyao, 3 South game, 4 three players.
  void read_rules(const pugi::xml_node& node) {
    const int64_t type = number_of(node, "type");
    rules_.red_fives = !(type & 0x02);
    rules_.open_tanyao = !(type & 0x04);
    rules_.length = type & 0x08 ? Length::South : Length::East;
    if (type & 0x10) rules_.players = 3;
  }

  // The first one tells all names; later ones tell who came back.
  void read_names(const pugi::xml_node& node) {
    if (!names_.empty() || !node.attribute("n0")) return;
    for (const char* attribute : {"n0", "n1", "n2", "n3"})
      names_.push_back(percent_decoded(node.attribute(attribute).value()));
    if (names_.back().empty()) rules_.players = 3;
  }

  void read_init(const pugi::xml_node& node) {
    start_game();
    close_round();
    const std::vector<int64_t> seed = numbers_of(node, "seed", 6);
    if (seed[0] < 0 || seed[0] >= 4 * kSeats) fail("attribute seed: there is no round {}", seed[0]);
    StartRound round;
    round.round_wind = static_cast<Wind>(seed[0] / kSeats);
    round.number = static_cast<int>(seed[0] % kSeats) + 1;
    round.honba = static_cast<int>(seed[1]);
    round.sticks = static_cast<int>(seed[2]);
    round.dealer = seat_of(node, "oya");
    round.dora_indicator = tile_from_tenhou_id(seed[5], rules_.red_fives);
    round.scores = points_of(numbers_of(node, "ten", rules_.players), 0, 1);
    constexpr std::array<const char*, kSeats> kHands = {"hai0", "hai1", "hai2", "hai3"};
    for (int seat = 0; seat < rules_.players; ++seat) round.hands[seat] = hand(node, kHands[seat]);
    drawn_id_ = kNothingDrawn;
    add(round);
  }

  Hand hand(const pugi::xml_node& node, const char* attribute) const {
    const std::vector<int64_t> ids = numbers_of(node, attribute, kHandTiles);
    if (ids.size() != kHandTiles) fail("attribute {} has {} tiles, not 13", attribute, ids.size());
    Hand hand;
    std::ranges::transform(ids, hand.begin(),
                           [&](int64_t id) { return tile_from_tenhou_id(id, rules_.red_fives); });
    return hand;
  }

  void read_meld(const pugi::xml_node& node) {
    const Event event =
        event_of_meld_word(seat_of(node, "who"), number_of(node, "m"), rules_.red_fives);
    add(event);
    drawn_id_ = kNothingDrawn;
  }

  void read_riichi(const pugi::xml_node& node) {
    const Seat seat = seat_of(node, "who");
    const int64_t step = number_of(node, "step");
    if (step == 1) return add(RiichiDeclared{seat});
    if (step == 2) return add(RiichiAccepted{seat});
    fail("attribute step: riichi has no step {}", step);
  }

  void read_dora(const pugi::xml_node& node) {
    add(Dora{tile_from_tenhou_id(number_of(node, "hai"), rules_.red_fives)});
  }

  void read_win(const pugi::xml_node& node) {
    Win win{.seat = seat_of(node, "who"), .from = seat_of(node, "fromWho")};
    win.tile = tile_from_tenhou_id(number_of(node, "machi"), rules_.red_fives);
    if (node.attribute("doraHaiUra")) {
      std::vector<Tile> ura;
      for (const int64_t id : numbers_of(node, "doraHaiUra", 1))
        ura.push_back(tile_from_tenhou_id(id, rules_.red_fives));
      win.ura_indicators = indicators_of(ura);
    }
    win.deltas = deltas(node);
    if (node.attribute("paoWho")) win.liable = seat_of(node, "paoWho");
    win.stated = stated_value(node);
    add(win);
    read_end(node);
  }

  // "ten" is fu, points and limit; "yaku" pairs of a number and its han, "yakuman" numbers alone.
  static StatedValue stated_value(const pugi::xml_node& node) {
    StatedValue value;
    if (node.attribute("ten")) {
      const std::vector<int64_t> ten = numbers_of(node, "ten", 2);
      value.fu = static_cast<int>(ten[0]);
      value.points = static_cast<int>(ten[1]);
    }
    if (node.attribute("yaku")) {
      const std::vector<int64_t> yaku = numbers_of(node, "yaku", 2);
      for (size_t i = 0; i + 1 < yaku.size(); i += 2) add_yaku(value, yaku[i], yaku[i + 1]);
    }
    if (node.attribute("yakuman")) {
      value.fu.reset();
      for (const int64_t yaku : numbers_of(node, "yakuman", 1)) add_yaku(value, yaku, kYakumanHan);
    }
    return value;
  }

  // Indicators of the other side that hit nothing are listed with no han.
  static void add_yaku(StatedValue& value, int64_t yaku, int64_t han) {
    if (yaku < 0 || yaku >= kYakuCount || han < 0 || han > kMostHan)
      fail("there is no yaku {} of {} han", yaku, han);
    if (han == 0) return;
    if (value.yaku.full()) fail("more than {} yaku", value.yaku.size());
    value.yaku.push_back({static_cast<Yaku>(yaku), static_cast<uint8_t>(han)});
    value.han = value.han.value_or(0) + static_cast<int>(han);
  }

  void read_round_draw(const pugi::xml_node& node) {
    add(RoundDraw{draw_kind(node.attribute("type").value()), deltas(node)});
    read_end(node);
  }

  std::optional<Scores> deltas(const pugi::xml_node& node) const {
    if (!node.attribute("sc")) return std::nullopt;
    return points_of(numbers_of(node, "sc", 2 * rules_.players), 1, 2);
  }

  void read_end(const pugi::xml_node& node) {
    round_over_ = true;
    if (node.attribute("owari"))
      final_scores_ = points_of(numbers_of(node, "owari", 2 * rules_.players), 0, 2);
  }

  void start_game() {
    if (started_) return;
    started_ = true;
    names_.resize(rules_.players);
    add(StartGame{.names = names_, .rules = rules_, .wall_seed = wall_seed_});
  }

  void close_round() {
    if (round_over_) add(EndRound{});
    round_over_ = false;
  }

  void close_game() {
    if (!round_over_) return;
    close_round();
    add(EndGame{final_scores_});
  }

  template <typename Happened>
  void add(Happened&& event) {
    record_.events.emplace_back(std::forward<Happened>(event), place_);
  }

  static constexpr int kNothingDrawn = -1;

  Record record_;
  RuleSet rules_;
  std::vector<std::string> names_;
  std::string wall_seed_;
  std::optional<Scores> final_scores_;
  uint32_t place_ = 0;
  int drawn_id_ = kNothingDrawn;  // by the seat in turn
  bool started_ = false;
  bool round_over_ = false;
};

}  // namespace

Record read_mjlog(std::string_view text, std::string source) {
  return MjlogReader(std::move(source)).read(text);
}

}  // namespace ippatsu::mahjong
