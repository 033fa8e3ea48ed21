#include "records/tenhou_turns.h"

#include <algorithm>
#include <span>

#include "base/error.h"

namespace ippatsu::mahjong {

namespace {

constexpr int kMostSteps = 20'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "3737p37": the tiles in written order, the letter, and before which tile it stands.
struct Written {
  std::vector<Tile> tiles;
  char letter = 0;
  size_t position = 0;
};

Written written(std::string_view text) {
  Written written;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      if (written.letter) fail("'{}' has two letters", text.substr(0, 32));
      written.letter = text[i];
      written.position = written.tiles.size();
      continue;
    }
    if (i + 1 == text.size() || !is_digit(text[i + 1]) || written.tiles.size() == kCopies)
      fail("'{}' is no call", text.substr(0, 32));
    written.tiles.push_back(tile_from_tenhou_code((text[i] - '0') * 10 + (text[i + 1] - '0')));
    ++i;
  }
  return written;
}

struct CallLetter {
  char letter;
  CallKind kind;
};

constexpr std::array<CallLetter, 3> kCalls = {
    {{'c', CallKind::Chi}, {'p', CallKind::Pon}, {'m', CallKind::OpenKan}}};

// How far on the source sits: the letter stands before the first, second or last tile.
int source_distance(const Written& written) {
  if (written.position == 0) return 3;
  return written.position + 1 == written.tiles.size() ? 1 : 2;
}

// The same the other way: before how many of `own` tiles the called one stands.
int position_of_called(Seat seat, Seat from, int own) {
  const int distance = (from - seat + kSeats) % kSeats;
  return distance == 3 ? 0 : distance == 2 ? 1 : own;
}

// `inserted`, which begins with the letter, before the tile at `position`.
std::string written(std::span<const Tile> tiles, int position, std::string_view inserted) {
  std::string text;
  for (int i = 0; i <= static_cast<int>(tiles.size()); ++i) {
    if (i == position) text += inserted;
    if (i < static_cast<int>(tiles.size())) text += std::to_string(tenhou_code(tiles[i]));
  }
  return text;
}

class Search {
 public:
  Search(const Columns& columns, int players) : columns_(columns), players_(players) {
    size_t lines = 0;
    for (const Column& column : columns) lines += column.takes.size();
    turns_.reserve(lines);
  }

  std::vector<Turn> run(Seat dealer) {
    if (!take(dealer)) fail("no order of turns uses every entry of all columns");
    return std::move(turns_);
  }

 private:
  // Tries the next line of `seat` and all that may follow; undoes it when that leads nowhere.
  bool take(Seat seat) {
    const Column& column = columns_[seat];
    const size_t line = used_[seat];
    if (line == column.takes.size() || ++steps_ > kMostSteps) return false;
    turns_.push_back({.seat = seat, .take = column.takes[line], .put = std::nullopt});
    if (line < column.puts.size()) turns_.back().put = column.puts[line];
    ++used_[seat];
    if (go_on(seat)) return true;
    --used_[seat];
    turns_.pop_back();
    return false;
  }

  bool go_on(Seat seat) {
    const std::optional<Put>& put = turns_.back().put;
    if (!put) return complete();
    if (!std::holds_alternative<Thrown>(*put)) return take(seat) || complete();
    const std::optional<Tile> tile = thrown_tile(turns_.back());
    if (!tile) return false;
    for (const CallKind kind : {CallKind::OpenKan, CallKind::Pon, CallKind::Chi})
      for (Seat caller = 0; caller < players_; ++caller)
        if (calls(caller, kind, seat, *tile) && take(caller)) return true;
    const auto next = static_cast<Seat>((seat + 1) % players_);
    return (draws(next) && take(next)) || complete();
  }

  static std::optional<Tile> thrown_tile(const Turn& turn) {
    const Thrown& thrown = std::get<Thrown>(*turn.put);
    if (thrown.tile) return thrown.tile;
    const Tile* drawn = std::get_if<Tile>(&turn.take);
    return drawn ? std::optional(*drawn) : std::nullopt;
  }

  const Take* next_take(Seat seat) const {
    const std::vector<Take>& takes = columns_[seat].takes;
    return used_[seat] < takes.size() ? &takes[used_[seat]] : nullptr;
  }

  bool draws(Seat seat) const {
    const Take* take = next_take(seat);
    return take && std::holds_alternative<Tile>(*take);
  }

  bool calls(Seat seat, CallKind kind, Seat from, Tile tile) const {
    const Take* take = next_take(seat);
    const Call* call = take ? std::get_if<Call>(take) : nullptr;
    return call && call->kind == kind && call->from == from && call->called == tile;
  }

  bool complete() const {
    for (Seat seat = 0; seat < players_; ++seat)
      if (used_[seat] < columns_[seat].takes.size() || used_[seat] < columns_[seat].puts.size())
        return false;
    return true;
  }

  const Columns& columns_;
  const int players_;
  std::array<size_t, kSeats> used_{};
  std::vector<Turn> turns_;
  int steps_ = 0;
};

}  // namespace

Take take_of_code(int64_t code) { return tile_from_tenhou_code(code); }

Take take_of_text(std::string_view text, Seat seat) {
  const Written call = written(text);
  const auto row = std::ranges::find(kCalls, call.letter, &CallLetter::letter);
  const size_t wanted = call.letter == 'm' ? 4 : 3;
  if (row == kCalls.end() || call.tiles.size() != wanted || call.position == wanted)
    fail("'{}' is no call", text.substr(0, 32));
  Call taken{.seat = seat,
             .from = static_cast<Seat>((seat + source_distance(call)) % kSeats),
             .kind = row->kind,
             .called = call.tiles[call.position]};
  size_t own = 0;
  for (size_t i = 0; i < wanted; ++i)
    if (i != call.position) taken.own[own++] = call.tiles[i];
  return taken;
}

Put put_of_code(int64_t code) {
  if (code == kNothing) return Nothing{};
  if (code == kDrawnTile) return Thrown{};
  return Thrown{.tile = tile_from_tenhou_code(code)};
}

Put put_of_text(std::string_view text, Seat seat) {
  if (text == "r60") return Thrown{.tile = std::nullopt, .declares_riichi = true};
  const Written put = written(text);
  const size_t tiles = put.tiles.size();
  if (put.letter == 'r' && tiles == 1) return Thrown{put.tiles[0], true};
  if (put.letter == 'f' && tiles == 1) return Kita{seat};
  if (put.letter == 'k' && tiles == 4 && put.position < tiles)
    return AddedKan{seat, put.tiles[put.position]};
  if (put.letter == 'a' && tiles == 4)
    return ClosedKan{seat, {put.tiles[0], put.tiles[1], put.tiles[2], put.tiles[3]}};
  fail("'{}' is no discard, kan or north", text.substr(0, 32));
}

std::string text_of(const Call& call) {
  const auto row = std::ranges::find(kCalls, call.kind, &CallLetter::kind);
  const int own = call.own_count();
  return written(std::span(call.own).first(own), position_of_called(call.seat, call.from, own),
                 fmt::format("{}{}", row->letter, tenhou_code(call.called)));
}

std::string text_of(const AddedKan& kan, const Call& pon) {
  const int own = pon.own_count();
  return written(std::span(pon.own).first(own), position_of_called(pon.seat, pon.from, own),
                 fmt::format("k{}{}", tenhou_code(kan.added), tenhou_code(pon.called)));
}

std::string text_of(const ClosedKan& kan) { return written(kan.tiles, kCopies - 1, "a"); }

std::string text_of_riichi(const Discard& discard) {
  return fmt::format("r{}", discard.tsumogiri ? kDrawnTile : tenhou_code(discard.tile));
}

Tile drawn_in(const Turn& turn) {
  const Tile* drawn = std::get_if<Tile>(&turn.take);
  if (!drawn) fail("seat {} puts the tile just drawn, but it called", turn.seat);
  return *drawn;
}

std::vector<Turn> turns(const Columns& columns, Seat dealer, int players) {
  return Search(columns, players).run(dealer);
}

}  // namespace ippatsu::mahjong
