#include "mahjong/test_script.h"

#include <algorithm>
#include <sstream>

#include "base/error.h"

namespace ippatsu::mahjong {

namespace {

Tile one_tile(std::string_view text) {
  const std::vector<Tile> tiles = tiles_from_notation(text);
  if (tiles.size() != 1) fail("'{}' is not one tile", text);
  return tiles[0];
}

class ScriptReader {
 public:
  Event read(std::string_view word) {
    if (word.starts_with("dora:")) return Dora{one_tile(word.substr(5))};
    if (word.starts_with("draw:")) return RoundDraw{static_cast<DrawKind>(word[5] - '0'), Scores{}};
    if (word == "end") return EndRound{};
    const auto seat = static_cast<Seat>(word[0] - '0');
    const std::string_view rest = word.substr(2);
    switch (word[1]) {
      case '+':
        return Draw{seat, drawn_ = one_tile(rest)};
      case '-':
        return discard({seat, one_tile(rest), false});
      case '=':
        return discard({seat, drawn_, true});
      case '!':
        return RiichiDeclared{seat};
      case '$':
        return RiichiAccepted{seat};
      default:
        return named(seat, rest);
    }
  }

 private:
  Event discard(Discard discard) {
    last_ = discard.seat;
    return discard;
  }

  Event named(Seat seat, std::string_view text) {
    const std::string_view name = text.substr(0, text.find(':'));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    if (name == "north") return Kita{seat};
    if (name == "added") return last_ = seat, AddedKan{seat, one_tile(text)};
    if (name == "tsumo") return Win{seat, seat, one_tile(text), {}, Scores{}, {}};
    if (name == "ron") return Win{seat, last_, one_tile(text), {}, Scores{}, {}};
    if (name == "closed") {
      ClosedKan kan{.seat = last_ = seat, .tiles = {}};
      std::ranges::copy(tiles_from_notation(text), kan.tiles.begin());
      return kan;
    }
    return call(seat, name, text);
  }

  Event call(Seat seat, std::string_view name, std::string_view text) const {
    const size_t colon = text.find(':');
    Call call{.seat = seat, .from = last_, .kind = CallKind::OpenKan};
    if (name == "chi") call.kind = CallKind::Chi;
    if (name == "pon") call.kind = CallKind::Pon;
    call.called = one_tile(text.substr(0, colon));
    std::ranges::copy(tiles_from_notation(text.substr(colon + 1)), call.own.begin());
    return call;
  }

  Tile drawn_;
  Seat last_ = 0;
};

// All tiles, less those that a script names.
class Rest {
 public:
  explicit Rest(int players) {
    left_.fill(kCopies);
    for (int suit = 0; suit < 3; ++suit) --left_[suit * 9 + 4], left_[kKinds + suit] = 1;
    for (int kind = 1; players == 3 && kind < 8; ++kind) left_[kind] = 0;
    left_[kKinds] = players == 3 ? 0 : 1;
  }

  void take(Tile tile) { --left_[tile.index()]; }

  // From the kind of which most are left, so that no hand comes near anything.
  Tile deal() {
    const auto most = std::ranges::max_element(left_);
    --*most;
    return Tile::of_index(static_cast<int>(most - left_.begin()));
  }

 private:
  std::array<int, kTiles> left_;
};

}  // namespace

std::vector<Event> events_of(const Script& script) {
  std::vector<Event> events;
  ScriptReader reader;
  std::istringstream words{std::string(script.events)};
  for (std::string word; words >> word;) events.push_back(reader.read(word));

  Rest rest(script.players);
  StartRound round{.honba = script.honba,
                   .sticks = script.sticks,
                   .dora_indicator = one_tile(script.dora),
                   .scores = script.scores};
  rest.take(round.dora_indicator);
  for (const std::string_view hand : script.hands)
    std::ranges::for_each(tiles_from_notation(hand), [&](Tile t) { rest.take(t); });
  for (const Event& event : events) {
    if (const auto* draw = std::get_if<Draw>(&event)) rest.take(draw->tile);
    if (const auto* dora = std::get_if<Dora>(&event)) rest.take(dora->indicator);
  }
  for (int seat = 0; seat < script.players; ++seat) {
    std::vector<Tile> hand = tiles_from_notation(script.hands[seat]);
    while (hand.size() < kHandTiles) hand.push_back(rest.deal());
    std::ranges::copy(hand, round.hands[seat].begin());
  }
  StartGame game{.names = {}, .rules = script.rules};
  game.rules.players = script.players;
  events.insert(events.begin(), {game, round});
  return events;
}

Table played(const Script& script) {
  Table table;
  for (Event event : events_of(script)) {
    if (Win* win = std::get_if<Win>(&event)) {
      table.check(*win);
      win->deltas = table.win_deltas(win->seat, {});
    }
    if (RoundDraw* draw = std::get_if<RoundDraw>(&event))
      draw->deltas = table.draw_deltas(draw->kind);
    table.apply(event);
  }
  return table;
}

void pass_turns(Table& table, int turns) {
  int kind = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const auto seen = [&](int k) {
      int count = table.open_kinds()[k];
      for (int seat = 0; seat < table.rules().players; ++seat)
        count += table.seat(seat).concealed.count_kind(k);
      return count;
    };
    while (seen(kind) >= kCopies) ++kind;
    const bool first = table.phase() == Phase::Draw;
    const auto seat =
        static_cast<Seat>(first ? table.turn() : (table.turn() + 1) % table.rules().players);
    const Tile tile = Tile::of_kind(kind);
    table.apply(Draw{seat, tile});
    table.apply(Discard{seat, tile, true});
  }
}

}  // namespace ippatsu::mahjong
