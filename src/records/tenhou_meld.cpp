#include "records/tenhou_meld.h"

#include "base/error.h"

namespace ippatsu::mahjong {

namespace {

constexpr int kRunsInSuit = 7;

struct Word {
  Seat who;
  uint32_t bits;
  bool red_fives;

  uint32_t field(int lowest, int width) const { return bits >> lowest & ((1U << width) - 1); }
  bool has(int bit) const { return field(bit, 1) != 0; }
  Seat from() const { return static_cast<Seat>((who + field(0, 2)) % kSeats); }
  Tile tile(int64_t id) const { return tile_from_tenhou_id(id, red_fives); }
};

Event chi(const Word& word) {
  const int packed = static_cast<int>(word.field(10, 6));
  const int run = packed / 3;
  if (run >= 3 * kRunsInSuit) fail("meld word {} is a chi of no suit", word.bits);
  const int lowest = run / kRunsInSuit * 9 + run % kRunsInSuit;
  Call call{.seat = word.who, .from = word.from(), .kind = CallKind::Chi};
  int own = 0;
  for (int i = 0; i < 3; ++i) {
    const Tile tile = word.tile((lowest + i) * kCopies + word.field(3 + 2 * i, 2));
    (i == packed % 3 ? call.called : call.own[own++]) = tile;
  }
  return call;
}

Event pon_or_added_kan(const Word& word, bool added) {
  const int packed = static_cast<int>(word.field(9, 7));
  const int kind = packed / 3;
  const int apart = static_cast<int>(word.field(5, 2));
  if (kind >= kKinds) fail("meld word {} is a pon of no kind", word.bits);
  if (added) return AddedKan{.seat = word.who, .added = word.tile(kind * kCopies + apart)};
  Call call{.seat = word.who, .from = word.from(), .kind = CallKind::Pon};
  int own = 0;
  for (int copy = 0, i = 0; copy < kCopies; ++copy) {
    if (copy == apart) continue;
    (i++ == packed % 3 ? call.called : call.own[own++]) = word.tile(kind * kCopies + copy);
  }
  return call;
}

Event closed_or_open_kan(const Word& word) {
  const int called = static_cast<int>(word.field(8, 8));
  const Tile called_tile = word.tile(called);
  const int first = called / kCopies * kCopies;
  if (word.from() == word.who) {
    ClosedKan kan{.seat = word.who, .tiles = {}};
    for (int copy = 0; copy < kCopies; ++copy) kan.tiles[copy] = word.tile(first + copy);
    return kan;
  }
  Call call{
      .seat = word.who, .from = word.from(), .kind = CallKind::OpenKan, .called = called_tile};
  int own = 0;
  for (int id = first; id < first + kCopies; ++id)
    if (id != called) call.own[own++] = word.tile(id);
  return call;
}

}  // namespace

Event event_of_meld_word(Seat who, int64_t number, bool red_fives) {
  if (number < 0 || number > 0xffff) fail("{} is not a meld word (0..65535)", number);
  const Word word{who, static_cast<uint32_t>(number), red_fives};
  if (word.has(2)) return chi(word);
  if (word.has(3)) return pon_or_added_kan(word, false);
  if (word.has(4)) return pon_or_added_kan(word, true);
  if (word.has(5)) return Kita{who};
  return closed_or_open_kan(word);
}

}  // namespace ippatsu::mahjong
