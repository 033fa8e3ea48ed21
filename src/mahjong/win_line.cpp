#include "mahjong/win_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "mahjong/hand_value.h"

namespace ippatsu::mahjong {

namespace {

// What a word without a value says.
struct Flag {
  std::string_view word;
  void (*set)(WinSituation&);
};

constexpr std::array kFlags = {
    Flag{"ron", [](WinSituation&) {}},
    Flag{"tsumo", [](WinSituation& s) { s.tsumo = true; }},
    Flag{"riichi", [](WinSituation& s) { s.riichi = RiichiState::Riichi; }},
    Flag{"double-riichi", [](WinSituation& s) { s.riichi = RiichiState::DoubleRiichi; }},
    Flag{"ippatsu", [](WinSituation& s) { s.ippatsu = true; }},
    Flag{"after-kan", [](WinSituation& s) { s.replacement = true; }},
    Flag{"robbed", [](WinSituation& s) { s.robbed = true; }},
    Flag{"last-tile", [](WinSituation& s) { s.last_tile = true; }},
    Flag{"first-turn", [](WinSituation& s) { s.first_turn = true; }},
};

struct Switch {
  std::string_view word;
  bool RuleSet::*value;
};

constexpr std::array kSwitches = {
    Switch{"open-tanyao", &RuleSet::open_tanyao},
    Switch{"double-wind-fu", &RuleSet::double_wind_fu},
    Switch{"rinshan-fu", &RuleSet::rinshan_fu},
    Switch{"kiriage-mangan", &RuleSet::kiriage_mangan},
    Switch{"counted-yakuman", &RuleSet::counted_yakuman},
    Switch{"double-yakuman", &RuleSet::double_yakuman},
    Switch{"added-yakuman", &RuleSet::added_yakuman},
    Switch{"pao", &RuleSet::pao},
};

struct MeldWord {
  std::string_view word;
  MeldKind kind;
};

constexpr std::array kMelds = {
    MeldWord{"chi", MeldKind::Chi},          MeldWord{"pon", MeldKind::Pon},
    MeldWord{"open-kan", MeldKind::OpenKan}, MeldWord{"added-kan", MeldKind::AddedKan},
    MeldWord{"kan", MeldKind::ClosedKan},
};

constexpr std::array<std::string_view, 6> kLimits = {"",        " mangan",    " haneman",
                                                     " baiman", " sanbaiman", " yakuman"};

// The row that a word names; null where there is none.
template <typename Rows>
auto* find(const Rows& rows, std::string_view word) {
  const auto row = std::ranges::find(rows, word, [](const auto& each) { return each.word; });
  return row == rows.end() ? nullptr : &*row;
}

int number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("'{}' is no number", text);
  return value;
}

bool on_or_off(std::string_view text) {
  if (text != "on" && text != "off") fail("a rule is 'on' or 'off', not '{}'", text);
  return text == "on";
}

Wind wind(char letter) {
  const size_t place = std::string_view("ESWN").find(letter);
  if (place == std::string_view::npos) fail("'{}' is no wind", letter);
  return static_cast<Wind>(place);
}

Meld meld(MeldKind kind, std::string_view text) {
  const std::vector<Tile> tiles = tiles_from_notation(text);
  const size_t wanted = kind >= MeldKind::OpenKan ? 4 : 3;
  if (tiles.size() != wanted) fail("'{}' are not the {} tiles of a meld", text, wanted);
  Meld meld{.kind = kind, .from = 0, .called = tiles[0], .size = static_cast<uint8_t>(wanted)};
  std::ranges::copy(tiles, meld.all.begin());
  return meld;
}

class Reader {
 public:
  WinLine read(std::string_view text) {
    std::istringstream words{std::string(text)};
    std::string word;
    words >> word;
    winds(word);
    while (words >> word) read_word(word);
    win_.payment.winner = static_cast<Seat>(win_.hand.situation.seat_wind);
    win_.payment.from = loser();
    return win_;
  }

 private:
  void winds(std::string_view word) {
    if (word.size() != 2) fail("'{}' are not the winds of round and seat", word);
    win_.hand.situation.round_wind = wind(word[0]);
    win_.hand.situation.seat_wind = wind(word[1]);
  }

  void read_word(std::string_view word) {
    const size_t end = word.find(':');
    if (end != std::string_view::npos) return set(word.substr(0, end), word.substr(end + 1));
    if (const auto* flag = find(kFlags, word)) return flag->set(win_.hand.situation);
    if (word.find('+') == std::string_view::npos) fail("'{}' says nothing", word);
    tiles(word);
  }

  // The concealed tiles, the winning one behind a plus sign.
  void tiles(std::string_view word) {
    const size_t plus = word.find('+');
    for (const Tile tile : tiles_from_notation(word.substr(0, plus))) win_.hand.concealed.add(tile);
    const std::vector<Tile> winning = tiles_from_notation(word.substr(plus + 1));
    if (winning.size() != 1) fail("'{}' has not one winning tile", word);
    win_.hand.winning = winning[0];
    win_.hand.concealed.add(winning[0]);
  }

  void set(std::string_view name, std::string_view value) {
    if (const auto* row = find(kMelds, name)) return add_meld(meld(row->kind, value));
    if (const auto* rule = find(kSwitches, name)) {
      win_.rules.*(rule->value) = on_or_off(value);
      return;
    }
    if (name == "dora") return add_indicators(win_.hand.dora_indicators, value);
    if (name == "ura") return add_indicators(win_.hand.ura_indicators, value);
    set_number(name, number(value));
  }

  void set_number(std::string_view name, int value) {
    if (name == "players")
      win_.rules.players = value;
    else if (name == "norths")
      win_.hand.norths = value;
    else if (name == "from")
      from_ = static_cast<Seat>(value);
    else if (name == "honba")
      win_.payment.honba = value;
    else if (name == "sticks")
      win_.payment.sticks = value;
    else if (name == "liable")
      win_.payment.liable = static_cast<Seat>(value);
    else
      fail("'{}' says nothing", name);
    win_.tells_deltas |= name != "players" && name != "norths";
  }

  void add_meld(const Meld& meld) {
    if (win_.hand.melds.full()) fail("five melds are too many");
    win_.hand.melds.push_back(meld);
  }

  static void add_indicators(Indicators& indicators, std::string_view text) {
    indicators = indicators_of(tiles_from_notation(text));
  }

  Seat loser() const {
    if (win_.hand.situation.tsumo) return win_.payment.winner;
    return from_.value_or(static_cast<Seat>((win_.payment.winner + 1) % win_.rules.players));
  }

  WinLine win_;
  std::optional<Seat> from_;
};

std::string deltas_text(const Scores& deltas) {
  return fmt::format("{:+}", fmt::join(deltas, " "));
}

// "2600" by ron, "700/1300" or "700 all" by tsumo.
std::string payment_text(const WinLine& win, const Scores& deltas) {
  const Seat winner = win.payment.winner;
  if (win.payment.from != winner) return fmt::format("{}", deltas[winner]);
  const int other = win.rules.players - 1 == winner ? winner - 1 : win.rules.players - 1;
  if (winner == 0) return fmt::format("{} all", -deltas[other]);
  return fmt::format("{}/{}", -deltas[other], -deltas[0]);
}

std::string limit_text(const HandValue& value) {
  const std::string_view limit = kLimits[static_cast<size_t>(value.limit)];
  return value.yakuman > 1 ? fmt::format(" {} yakuman", value.yakuman) : std::string(limit);
}

}  // namespace

WinLine win_from_line(std::string_view text) {
  try {
    return Reader().read(text);
  } catch (const Error& error) {
    throw error.within(text);
  }
}

std::string worth(const WinLine& win) {
  const std::optional<HandValue> value = hand_value(win.hand, win.rules);
  if (!value) return "nothing";
  std::vector<std::string> yaku;
  for (const YakuHan& each : value->yaku)
    yaku.push_back(fmt::format("{} {}", row_of(each.yaku).name, each.han));
  const Scores deltas = win_deltas(*value, win.payment, win.rules);
  return fmt::format("{} | {} han {} fu{} | {}", fmt::join(yaku, ", "), value->han, value->fu,
                     limit_text(*value),
                     win.tells_deltas ? deltas_text(deltas) : payment_text(win, deltas));
}

}  // namespace ippatsu::mahjong
