#include "mahjong/shanten_table.h"

#include <algorithm>
#include <cassert>
#include <ranges>
#include <unordered_map>

#include "mahjong/shanten_lacking.h"

namespace ippatsu::mahjong {

// Gives equal rows the same number, counting up from 0.
class RowNumbers {
 public:
  int operator[](Lacking row) {
    const auto [found, added] = numbers_.try_emplace(row.bits(), static_cast<int>(rows_.size()));
    if (added) rows_.push_back(row);
    return found->second;
  }

  const std::vector<Lacking>& rows() const { return rows_; }

 private:
  std::unordered_map<uint64_t, int> numbers_;
  std::vector<Lacking> rows_;
};

namespace {

constexpr int kMostTiles = kHandTiles + 1;
constexpr int kFar = kMostTiles + 1;  // more than any hand lacks
constexpr int kLowerKinds = 4;        // those in the lower half of a key

// Half a key: its digits, the lowest first, and what is asked of them most often.
struct Half {
  std::array<uint8_t, 5> digits{};
  uint8_t tiles = 0;
  uint8_t held = 0;  // bit i: digit i is not 0
};

constexpr std::array<Half, kUpperHalves> kHalves = [] {
  std::array<Half, kUpperHalves> halves{};
  for (uint32_t number = 1; number < kUpperHalves; ++number) {
    std::array<uint8_t, 5>& digits = halves[number].digits;
    digits = halves[number - 1].digits;
    int i = 0;
    while (digits[i] == kCopies) digits[i++] = 0;
    ++digits[i];
    for (i = 0; i < 5; ++i) {
      halves[number].tiles += digits[i];
      halves[number].held |= (digits[i] > 0) << i;
    }
  }
  return halves;
}();

const Half& lower(GroupKey key) { return kHalves[lower_half(key)]; }
const Half& upper(GroupKey key) { return kHalves[upper_half(key)]; }

uint32_t upper_halves(int kinds) {
  return upper_half(kOneTile[kinds - 1]) * 5;  // the last kind is the highest digit
}

int held(GroupKey key, int kind) {
  return kind < kLowerKinds ? lower(key).digits[kind] : upper(key).digits[kind - kLowerKinds];
}

template <typename Function>
void for_each_held(GroupKey key, Function&& function) {
  for (uint32_t kinds = lower(key).held | upper(key).held << kLowerKinds; kinds != 0;
       kinds &= kinds - 1)
    function(std::countr_zero(kinds));
}

// All keys of at most 14 tiles, in ascending order.
std::vector<GroupKey> all_keys(int kinds) {
  std::vector<GroupKey> keys;
  for (uint32_t upper = 0; upper < upper_halves(kinds); ++upper)
    for (uint32_t lower = 0; lower < kLowerHalves; ++lower)
      if (kHalves[upper].tiles + kHalves[lower].tiles <= kMostTiles)
        keys.push_back(GroupKey{upper} << 32 | lower);
  return keys;
}

// A set within a group: a triplet, or a run from `first` on.
struct Set {
  int first;
  bool run;

  bool fits(GroupKey key) const {
    if (!run) return held(key, first) + 3 <= kCopies;
    return held(key, first) < kCopies && held(key, first + 1) < kCopies &&
           held(key, first + 2) < kCopies;
  }

  GroupKey key() const {
    return run ? kOneTile[first] + kOneTile[first + 1] + kOneTile[first + 2] : 3 * kOneTile[first];
  }
};

std::vector<Set> sets_of(int kinds, bool runs) {
  std::vector<Set> sets;
  for (int kind = 0; kind < kinds; ++kind) sets.push_back({kind, false});
  for (int kind = 0; runs && kind + 2 < kinds; ++kind) sets.push_back({kind, true});
  return sets;
}

// Whatever a group can be in a complete hand: up to four sets, with the pair or without.
class Targets {
 public:
  struct Target {
    GroupKey key;
    int sets, pair;
  };

  Targets(int kinds, bool runs) : kinds_(kinds), sets_(sets_of(kinds, runs)) { add(0, 0, 0); }

  const std::vector<Target>& all() const { return all_; }

 private:
  // `from`: the first set that may still be added.
  void add(GroupKey key, int sets, size_t from) {
    all_.push_back({key, sets, 0});
    for (int kind = 0; kind < kinds_; ++kind)
      if (held(key, kind) + 2 <= kCopies) all_.push_back({key + 2 * kOneTile[kind], sets, 1});
    for (; sets < kSets && from < sets_.size(); ++from)
      if (sets_[from].fits(key)) add(key + sets_[from].key(), sets + 1, from);
  }

  int kinds_;
  std::vector<Set> sets_;
  std::vector<Target> all_;
};

// A group that is part of a target lacks one tile more than the group with one more of its tiles;
// any other group lacks what it does without one of its tiles. Larger groups have larger keys.
std::vector<Lacking> lacking(const std::vector<GroupKey>& keys, const KeyNumbers& numbers,
                             const Targets& targets) {
  std::vector<Lacking> rows(keys.size(), Lacking::all(kFar));
  for (const auto& target : targets.all())
    rows[numbers[target.key]].lower(target.pair, target.sets, 0);
  const auto relax = [&](GroupKey key, auto with_one_less) {
    Lacking& row = rows[numbers[key]];
    for_each_held(key, [&](int kind) { with_one_less(row, rows[numbers[key - kOneTile[kind]]]); });
  };
  for (const GroupKey key : std::views::reverse(keys))
    relax(key, [](Lacking row, Lacking& smaller) { smaller = least(smaller, row.one_more()); });
  for (const GroupKey key : keys)
    relax(key, [](Lacking& row, Lacking smaller) { row = least(row, smaller); });
  return rows;
}

std::vector<GroupWaits> waits_for(const Targets& targets, const KeyNumbers& numbers) {
  std::vector<GroupWaits> waits(numbers.size(), kUneven << kSuitLength);
  for (const auto& target : targets.all()) {
    GroupWaits& own = waits[numbers[target.key]];
    own = static_cast<GroupWaits>(kinds_in(own) | target.pair << kSuitLength);
    for_each_held(target.key, [&](int kind) {
      waits[numbers[target.key - kOneTile[kind]]] |= static_cast<GroupWaits>(1 << kind);
    });
  }
  return waits;
}

// What so many tiles of a kind add to the counters; [1] for a terminal or honour.
constexpr std::array<std::array<Counters, kCopies + 1>, 2> kCounters = [] {
  std::array<std::array<Counters, kCopies + 1>, 2> counters{};
  for (int orphan = 0; orphan <= 1; ++orphan)
    for (int copies = 1; copies <= kCopies; ++copies) {
      counters[orphan][copies] =
          copies * one(Counter::Tiles) + one(Counter::Kinds) + orphan * one(Counter::Orphans);
      if (copies > 1)
        counters[orphan][copies] += one(Counter::Pairs) + orphan * one(Counter::OrphanPairs);
    }
  return counters;
}();

Counters counters_of(GroupKey key, int kinds) {
  Counters counters = 0;
  for (int kind = 0; kind < kinds; ++kind)
    counters += kCounters[kinds == kHonors || kind == 0 || kind == kinds - 1][held(key, kind)];
  return counters;
}

Lacking join(Lacking a, Lacking b) {
  Lacking joined = Lacking::all(kFar);
  for (int pair_a = 0; pair_a <= 1; ++pair_a)
    for (int pair_b = 0; pair_a + pair_b <= 1; ++pair_b)
      for (int sets_a = 0; sets_a <= kSets; ++sets_a)
        for (int sets_b = 0; sets_a + sets_b <= kSets; ++sets_b)
          joined.lower(pair_a + pair_b, sets_a + sets_b,
                       a.at(pair_a, sets_a) + b.at(pair_b, sets_b));
  return joined;
}

// The pair and `sets` sets, from two parts of a hand.
int least_sum(Lacking a, Lacking b, int sets) {
  int least = kFar;
  for (int from_a = 0; from_a <= sets; ++from_a)
    least = std::min({least, a.at(0, from_a) + b.at(1, sets - from_a),
                      a.at(1, from_a) + b.at(0, sets - from_a)});
  return least;
}

}  // namespace

KeyNumbers::KeyNumbers(int kinds) {
  std::array<uint32_t, kMostTiles + 2> lower_of_less{};  // lower halves of less tiles than that
  for (int tiles = 0; tiles <= kMostTiles; ++tiles) {
    uint32_t rank = lower_of_less[tiles];
    for (uint32_t lower = 0; lower < kLowerHalves; ++lower)
      if (kHalves[lower].tiles == tiles) rank_[lower] = static_cast<uint16_t>(rank++);
    lower_of_less[tiles + 1] = rank;
  }
  for (uint32_t upper = 0; upper < upper_halves(kinds); ++upper) {
    first_[upper] = size_;
    const int left = kMostTiles - kHalves[upper].tiles;
    if (left >= 0) size_ += lower_of_less[left + 1];
  }
}

GroupTable::GroupTable(int kinds, bool runs, RowNumbers& row_numbers) : numbers_(kinds) {
  const Targets targets(kinds, runs);
  const std::vector<GroupKey> keys = all_keys(kinds);
  assert(keys.size() == numbers_.size());
  const std::vector<Lacking> rows = lacking(keys, numbers_, targets);
  shapes_.resize(keys.size());
  for (const GroupKey key : keys) {
    const auto row = static_cast<GroupShape>(row_numbers[rows[numbers_[key]]]);
    shapes_[numbers_[key]] = row << kRowShift | counters_of(key, kinds);
  }
  waits_ = waits_for(targets, numbers_);
}

ShantenTable::ShantenTable() : ShantenTable(RowNumbers()) {}

ShantenTable::ShantenTable(RowNumbers&& row_numbers)
    : suits_(kSuitLength, true, row_numbers), honors_(kHonors, false, row_numbers) {
  const std::vector<Lacking>& rows = row_numbers.rows();
  assert(rows.size() <= kRows);
  RowNumbers joined_numbers;
  for (size_t a = 0; a < rows.size(); ++a)
    for (size_t b = 0; b < rows.size(); ++b)
      joined_[a][b] = static_cast<uint8_t>(joined_numbers[join(rows[a], rows[b])]);
  const std::vector<Lacking>& joined = joined_numbers.rows();
  assert(joined.size() <= kJoinedRows);
  for (int melds = 0; melds <= kSets; ++melds)
    for (size_t a = 0; a < joined.size(); ++a)
      for (size_t b = 0; b < joined.size(); ++b)
        standard_[melds][a][b] =
            static_cast<int8_t>(least_sum(joined[a], joined[b], kSets - melds) - 1);
}

}  // namespace ippatsu::mahjong
