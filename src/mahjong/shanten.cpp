#include "mahjong/shanten.h"

#include <bit>

#include "mahjong/shanten_table.h"

namespace ippatsu::mahjong {

namespace {

constexpr KindMask kOrphans = [] {
  KindMask mask = 0;
  for (int kind = 0; kind < kKinds; ++kind)
    if (is_terminal_or_honor(kind)) mask |= KindMask{1} << kind;
  return mask;
}();

int all_pairs(const HandWaits& groups) {
  int pairs = 0;
  for (const GroupWaits group : groups) pairs += pairs_in(group);
  return pairs;
}

// The kinds that make 3n+1 tiles sets and a pair. Beside sets, the group that is filled has 3n+1
// tiles and ends with the pair; beside sets and the pair, it has 3n+2 and ends as sets.
KindMask standard_waits(const HandWaits& groups) {
  const int pairs = all_pairs(groups);
  KindMask mask = 0;
  for (int group = 0; group < kGroups; ++group)
    if (pairs - pairs_in(groups[group]) <= 1)
      mask |= kinds_in(groups[group]) << group * kSuitLength;
  return mask;
}

KindMask kinds_of(const KindCounts& held, int copies) {
  KindMask mask = 0;
  for (int kind = 0; kind < kKinds; ++kind)
    if (held[kind] == copies) mask |= KindMask{1} << kind;
  return mask;
}

// The kinds that make 13 tiles seven pairs or thirteen orphans.
KindMask special_waits(const KindCounts& held, Counters counters) {
  if (count(counters, Counter::Tiles) != kHandTiles) return 0;
  KindMask mask = 0;
  if (seven_pairs_shanten(counters) == 0) mask |= kinds_of(held, 1);
  if (thirteen_orphans_shanten(counters) == 0) {
    const bool pair = count(counters, Counter::OrphanPairs) > 0;
    mask |= pair ? kOrphans & kinds_of(held, 0) : kOrphans;
  }
  return mask;
}

KindMask without_all_of(KindMask mask, const KindCounts& held) {
  for (KindMask left = mask; left != 0; left &= left - 1) {
    const int kind = std::countr_zero(left);
    if (held[kind] >= kCopies) mask &= ~(KindMask{1} << kind);
  }
  return mask;
}

}  // namespace

int standard_shanten(const KindCounts& concealed, int melds) {
  const ShantenTable& table = ShantenTable::get();
  return table.standard_shanten(table.shape(keys_of(concealed)), melds);
}

int seven_pairs_shanten(const KindCounts& concealed) {
  return seven_pairs_shanten(counters_of(ShantenTable::get().shape(keys_of(concealed))));
}

int thirteen_orphans_shanten(const KindCounts& concealed) {
  return thirteen_orphans_shanten(counters_of(ShantenTable::get().shape(keys_of(concealed))));
}

int shanten(const KindCounts& concealed, int melds) {
  const ShantenTable& table = ShantenTable::get();
  return table.shanten(table.shape(keys_of(concealed)), melds);
}

bool is_complete(const KindCounts& concealed) {
  const ShantenTable& table = ShantenTable::get();
  const HandKeys keys = keys_of(concealed);
  if (all_pairs(table.waits(keys)) == 1) return true;
  const Counters counters = counters_of(table.shape(keys));
  return count(counters, Counter::Tiles) == kHandTiles + 1 &&
         (seven_pairs_shanten(counters) == -1 || thirteen_orphans_shanten(counters) == -1);
}

KindMask waits(const KindCounts& concealed) {
  const ShantenTable& table = ShantenTable::get();
  const HandKeys keys = keys_of(concealed);
  const Counters counters = counters_of(table.shape(keys));
  const KindMask mask = standard_waits(table.waits(keys)) | special_waits(concealed, counters);
  return without_all_of(mask, concealed);
}

}  // namespace ippatsu::mahjong
