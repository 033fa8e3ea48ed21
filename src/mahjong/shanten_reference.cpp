#include "mahjong/shanten_reference.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace ippatsu::mahjong::reference {

namespace {

constexpr int kSuitLength = 9;
constexpr uint8_t kNever = 100;  // more than any hand lacks; sums of a few still fit a byte

constexpr Lacking kNothing = [] {
  Lacking lacking;
  for (auto& row : lacking) row.fill(kNever);
  lacking[0][0] = 0;
  return lacking;
}();

constexpr Lacking kUnreachable = [] {
  Lacking lacking = kNothing;
  lacking[0][0] = kNever;
  return lacking;
}();

// Lowers `to` by `from` with `sets` and `pair` more in it, at the price of `cost` tiles.
void relax(Lacking& to, const Lacking& from, int sets, int pair, int cost) {
  for (int had_pair = 0; had_pair + pair <= 1; ++had_pair)
    for (int had_sets = 0; had_sets + sets <= kSets; ++had_sets) {
      uint8_t& best = to[had_pair + pair][had_sets + sets];
      best = static_cast<uint8_t>(std::min<int>(best, from[had_pair][had_sets] + cost));
    }
}

// More than two equal runs are as many triplets.
constexpr int kEqualRuns = 3;

// Runs that began one and two kinds before the current one.
using OpenRuns = std::array<std::array<Lacking, kEqualRuns>, kEqualRuns>;

constexpr OpenRuns kNoOpenRuns = [] {
  OpenRuns open;
  for (auto& row : open) row.fill(kUnreachable);
  return open;
}();

// One kind more: it may begin runs, be a triplet, be the pair, all within four copies.
void extend(OpenRuns& next, const Lacking& from, int two_ago, int one_ago, int held,
            bool may_begin) {
  for (int begun = 0; begun < (may_begin ? kEqualRuns : 1); ++begun)
    for (int triplet = 0; triplet <= 1; ++triplet)
      for (int pair = 0; pair <= 1; ++pair) {
        const int wanted = two_ago + one_ago + begun + 3 * triplet + 2 * pair;
        if (wanted > kCopies) continue;
        relax(next[one_ago][begun], from, begun + triplet, pair, std::max(0, wanted - held));
      }
}

Lacking honor_lacking(int held) {
  Lacking lacking = kNothing;
  lacking[0][1] = static_cast<uint8_t>(std::max(0, 3 - held));
  lacking[1][0] = static_cast<uint8_t>(std::max(0, 2 - held));
  return lacking;
}

constexpr std::array<int, 13> kOrphans = {0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33};

// Takes sets from the low end up: what a triplet leaves of the lowest kind must begin runs.
bool is_all_sets(std::array<uint8_t, kSuitLength> held) {
  for (int i = 0; i < kSuitLength; ++i) {
    const uint8_t runs = held[i] % 3;
    if (runs == 0) continue;
    if (i > kSuitLength - 3 || held[i + 1] < runs || held[i + 2] < runs) return false;
    held[i + 1] -= runs;
    held[i + 2] -= runs;
  }
  return true;
}

bool is_sets_and_pair(std::array<uint8_t, kSuitLength> held) {
  for (uint8_t& kind : held) {
    if (kind < 2) continue;
    kind -= 2;
    if (is_all_sets(held)) return true;
    kind += 2;
  }
  return false;
}

// A hand is four groups, the suits and the honours, that do not touch.
constexpr int kGroups = 4;
constexpr int kHonorGroup = 3;

constexpr int kUneven = kGroups;  // neither sets nor sets and a pair; more than pairs can add up to

int pairs_in_suit(const KindCounts& held, int suit) {
  std::array<uint8_t, kSuitLength> kinds;
  std::copy_n(held.begin() + suit * kSuitLength, kSuitLength, kinds.begin());
  const int tiles = std::accumulate(kinds.begin(), kinds.end(), 0);
  if (tiles % 3 == 0) return is_all_sets(kinds) ? 0 : kUneven;
  return tiles % 3 == 2 && is_sets_and_pair(kinds) ? 1 : kUneven;
}

int pairs_in_honors(const KindCounts& held) {
  int pairs = 0;
  for (int kind = kSuitedKinds; kind < kKinds; ++kind) {
    if (held[kind] % 3 == 1) return kUneven;
    if (held[kind] == 2) ++pairs;
  }
  return pairs;
}

// How many pairs are left beside the sets, or kUneven.
int pairs_in(const KindCounts& held, int group) {
  return group == kHonorGroup ? pairs_in_honors(held) : pairs_in_suit(held, group);
}

bool is_standard(const KindCounts& held) {
  int pairs = 0;
  for (int group = 0; group < kGroups; ++group) pairs += pairs_in(held, group);
  return pairs == 1;
}

int seven_pairs_shanten(const KindCounts& concealed) {
  const auto kinds = std::ranges::count_if(concealed, [](uint8_t n) { return n > 0; });
  const auto pairs = std::ranges::count_if(concealed, [](uint8_t n) { return n > 1; });
  return static_cast<int>(6 - pairs + std::max<ptrdiff_t>(0, 7 - kinds));
}

int thirteen_orphans_shanten(const KindCounts& concealed) {
  const auto kinds = std::ranges::count_if(kOrphans, [&](int kind) { return concealed[kind] > 0; });
  const bool pair = std::ranges::any_of(kOrphans, [&](int kind) { return concealed[kind] > 1; });
  return static_cast<int>(13 - kinds) - (pair ? 1 : 0);
}

bool is_pairs_or_orphans(const KindCounts& held) {
  return seven_pairs_shanten(held) == -1 || thirteen_orphans_shanten(held) == -1;
}

int standard_shanten(const KindCounts& concealed, int melds) {
  const std::span<const uint8_t, kKinds> held(concealed);
  Lacking lacking = suit_lacking(held.subspan<0, kSuitLength>());
  lacking = join(lacking, suit_lacking(held.subspan<kSuitLength, kSuitLength>()));
  lacking = join(lacking, suit_lacking(held.subspan<2 * kSuitLength, kSuitLength>()));
  lacking = join(lacking, honors_lacking(held.subspan<kSuitedKinds>()));
  return lacking[1][kSets - melds] - 1;
}

}  // namespace

Lacking suit_lacking(std::span<const uint8_t, kSuitLength> held) {
  OpenRuns current = kNoOpenRuns;
  current[0][0] = kNothing;
  for (int i = 0; i < kSuitLength; ++i) {
    OpenRuns next = kNoOpenRuns;
    for (int two_ago = 0; two_ago < kEqualRuns; ++two_ago)
      for (int one_ago = 0; one_ago < kEqualRuns; ++one_ago)
        if (i > 1 || two_ago == 0)
          extend(next, current[two_ago][one_ago], two_ago, one_ago, held[i], i < kSuitLength - 2);
    current = next;
  }
  return current[0][0];
}

Lacking honors_lacking(std::span<const uint8_t, kKinds - kSuitedKinds> held) {
  Lacking lacking = kNothing;
  for (const uint8_t copies : held) lacking = join(lacking, honor_lacking(copies));
  return lacking;
}

Lacking join(const Lacking& a, const Lacking& b) {
  Lacking joined = kUnreachable;
  for (int pair = 0; pair <= 1; ++pair)
    for (int sets = 0; sets <= kSets; ++sets)
      if (b[pair][sets] < kNever) relax(joined, a, sets, pair, b[pair][sets]);
  return joined;
}

int shanten(const KindCounts& concealed, int melds) {
  const int standard = standard_shanten(concealed, melds);
  if (melds > 0) return standard;
  return std::min({standard, seven_pairs_shanten(concealed), thirteen_orphans_shanten(concealed)});
}

bool is_complete(const KindCounts& concealed) {
  if (is_standard(concealed)) return true;
  const int tiles = std::accumulate(concealed.begin(), concealed.end(), 0);
  return tiles == 14 && is_pairs_or_orphans(concealed);
}

KindMask waits(const KindCounts& concealed) {
  KindMask mask = 0;
  KindCounts tried = concealed;
  for (int kind = 0; kind < kKinds; ++kind) {
    ++tried[kind];
    if (concealed[kind] < kCopies && is_complete(tried)) mask |= KindMask{1} << kind;
    --tried[kind];
  }
  return mask;
}

}  // namespace ippatsu::mahjong::reference
