#include "mahjong/hand_reading.h"

#include <algorithm>

#include "mahjong/kind_masks.h"

namespace ippatsu::mahjong {

namespace {

constexpr int kPairs = 7;  // of a hand of seven pairs

// Concealed tiles as sets and a pair.
struct Split {
  int8_t pair = 0;
  FixedVector<HandSet, kSets> sets;
};

using Splits = FixedVector<Split, kMostReadings>;

// Does each tile of the kind start a run?
bool start_runs(const KindCounts& tiles, int kind) {
  return !is_honor(kind) && number_of(kind) <= 7 && tiles[kind + 1] >= tiles[kind] &&
         tiles[kind + 2] >= tiles[kind];
}

void remove_run(KindCounts& tiles, int lowest) {
  for (int kind = lowest; kind < lowest + 3; ++kind) --tiles[kind];
}

HandSet concealed_set(int lowest, bool run) {
  return {.lowest = static_cast<int8_t>(lowest), .run = run};
}

// Adds every way of parting the tiles into sets, each beside the sets of `split`. Tiles of the
// lowest kind left are a triplet, or all start runs: so no way comes twice.
void add_splits(KindCounts tiles, int kind, Split split, Splits& splits) {
  while (kind < kKinds && tiles[kind] == 0) ++kind;
  if (kind == kKinds) return splits.push_back(split);
  if (tiles[kind] >= 3) {
    Split with_triplet = split;
    with_triplet.sets.push_back(concealed_set(kind, false));
    tiles[kind] -= 3;
    add_splits(tiles, kind, with_triplet, splits);
    tiles[kind] += 3;
  }
  if (!start_runs(tiles, kind)) return;
  for (; tiles[kind] > 0; remove_run(tiles, kind)) split.sets.push_back(concealed_set(kind, true));
  add_splits(tiles, kind + 1, split, splits);
}

Splits splits_of(KindCounts tiles) {
  Splits splits;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (tiles[kind] < 2) continue;
    tiles[kind] -= 2;
    add_splits(tiles, 0, {.pair = static_cast<int8_t>(kind), .sets = {}}, splits);
    tiles[kind] += 2;
  }
  return splits;
}

bool contains(const HandSet& set, int kind) {
  return set.run ? kind >= set.lowest && kind <= set.lowest + 2 : kind == set.lowest;
}

Wait wait_for(const HandSet& set, int kind) {
  if (!set.run) return Wait::Triplet;
  if (kind == set.lowest + 1) return Wait::Middle;
  const int only_end_of = kind == set.lowest ? 7 : 1;  // of 89 is the 7, of 12 the 3
  return number_of(set.lowest) == only_end_of ? Wait::Edge : Wait::TwoSided;
}

int runs_at(const Reading& reading, int lowest) {
  int runs = 0;
  for (const HandSet& set : reading.sets) runs += set.run && set.lowest == lowest ? 1 : 0;
  return runs;
}

void add_set(Reading& reading, const HandSet& set) {
  if (set.run && runs_at(reading, set.lowest) % 2 == 1) ++reading.twin_runs;
  reading.sets.push_back(set);
  (set.run ? reading.runs : reading.triplets) |= bit(set.lowest);
  reading.concealed_triplets += !set.run && set.concealed ? 1 : 0;
  reading.kans += set.kan ? 1 : 0;
}

HandSet set_of(const Meld& meld) {
  return {.lowest = static_cast<int8_t>(meld.lowest_kind()),
          .run = meld.kind == MeldKind::Chi,
          .kan = meld.is_kan(),
          .concealed = meld.kind == MeldKind::ClosedKan};
}

// What all readings of the hand share.
Reading unread_hand(const WinningHand& hand, const RuleSet& rules) {
  Reading reading;
  reading.hand = &hand;
  reading.rules = &rules;
  for (int kind = 0; kind < kKinds; ++kind)
    if (hand.concealed.count_kind(kind) > 0) reading.kinds |= bit(kind);
  for (const Meld& meld : hand.melds) {
    for (const Tile tile : meld.tiles()) reading.kinds |= bit(tile.kind());
    reading.closed &= meld.kind == MeldKind::ClosedKan;
  }
  return reading;
}

// `completed` is the place in the split of the set that the winning tile completed; past the sets
// it is the pair.
Reading read_as(const Split& split, size_t completed, Reading reading) {
  const WinningHand& hand = *reading.hand;
  reading.pair = split.pair;
  for (size_t i = 0; i < split.sets.size(); ++i) {
    HandSet set = split.sets[i];
    if (i == completed) {
      reading.wait = wait_for(set, hand.winning.kind());
      set.concealed = hand.situation.tsumo;
    }
    add_set(reading, set);
  }
  for (const Meld& meld : hand.melds) add_set(reading, set_of(meld));
  return reading;
}

void add_readings(const Split& split, const Reading& unread, Readings& readings) {
  const int winning = unread.hand->winning.kind();
  const auto& sets = split.sets;
  for (size_t i = 0; i < sets.size(); ++i) {
    const bool repeated = i > 0 && sets[i] == sets[i - 1];
    if (contains(sets[i], winning) && !repeated) readings.push_back(read_as(split, i, unread));
  }
  if (split.pair == winning) readings.push_back(read_as(split, sets.size(), unread));
}

bool is_seven_pairs(const WinningHand& hand) {
  return hand.melds.empty() && std::ranges::count(hand.concealed.kinds(), 2) == kPairs;
}

bool is_thirteen_orphans(const Reading& unread) {
  return unread.hand->melds.empty() && unread.kinds == kOrphans;
}

Reading read_as(Form form, Reading reading) {
  reading.form = form;
  return reading;
}

}  // namespace

Readings readings_of(const WinningHand& hand, const RuleSet& rules) {
  Readings readings;
  const int sets = static_cast<int>(hand.melds.size());
  const bool right_size = hand.concealed.size() + 3 * sets == kHandTiles + 1;
  if (!right_size || hand.concealed.count_kind(hand.winning.kind()) == 0) return readings;

  const Reading unread = unread_hand(hand, rules);
  for (const Split& split : splits_of(hand.concealed.kinds()))
    add_readings(split, unread, readings);
  if (is_seven_pairs(hand)) readings.push_back(read_as(Form::SevenPairs, unread));
  if (is_thirteen_orphans(unread)) readings.push_back(read_as(Form::ThirteenOrphans, unread));
  return readings;
}

}  // namespace ippatsu::mahjong
