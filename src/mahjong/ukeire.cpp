#include "mahjong/ukeire.h"

#include <algorithm>
#include <bit>

#include "mahjong/shanten_table.h"

namespace ippatsu::mahjong {

namespace {

// A hand as the tables see it, and by kind the shape of the kind's group with one more of it: as it
// is where the hand holds all four.
class LookedUp {
 public:
  LookedUp(const KindCounts& concealed, int melds) : held_(concealed), melds_(melds) {
    const HandKeys keys = keys_of(concealed);
    for (int group = 0; group < kGroups; ++group) look_up(group, keys[group]);
  }

  LookedUp without(int kind) const {
    LookedUp rest = *this;
    --rest.held_[kind];
    const int group = suit_of(kind);
    rest.look_up(group, keys_[group] - kOneTile[kind % kSuitLength]);
    return rest;
  }

  int shanten() const { return table_.shanten(shape_, melds_); }

  KindMask accepted() const {
    const int shanten = this->shanten();
    KindMask mask = 0;
    for (int group = 0; group < kGroups; ++group) {
      const OtherGroups others = table_.others(shape_, group, melds_);
      for (int kind = first_kind(group); kind < end_kind(group); ++kind)
        mask |= static_cast<KindMask>(others.shanten(with_one_more_[kind]) < shanten) << kind;
    }
    return mask;
  }

 private:
  static int first_kind(int group) { return group * kSuitLength; }
  static int end_kind(int group) { return std::min(first_kind(group + 1), kKinds); }

  void look_up(int group, GroupKey key) {
    const GroupTable& groups = table_.group(group);
    keys_[group] = key;
    shape_[group] = groups.shape(key);
    for (int kind = first_kind(group); kind < end_kind(group); ++kind)
      with_one_more_[kind] = held_[kind] == kCopies
                                 ? shape_[group]
                                 : groups.shape(key + kOneTile[kind - first_kind(group)]);
  }

  const ShantenTable& table_ = ShantenTable::get();
  KindCounts held_;
  int melds_;
  HandKeys keys_;
  HandShape shape_;
  std::array<GroupShape, kKinds> with_one_more_;
};

}  // namespace

KindMask accepted_kinds(const KindCounts& concealed, int melds) {
  return LookedUp(concealed, melds).accepted();
}

int unseen_tiles(KindMask kinds, const KindCounts& seen) {
  int tiles = 0;
  for (; kinds != 0; kinds &= kinds - 1)
    tiles += std::max(0, kCopies - seen[std::countr_zero(kinds)]);
  return tiles;
}

DiscardOptions discard_options(const KindCounts& concealed, int melds, const KindCounts& seen) {
  const LookedUp hand(concealed, melds);
  DiscardOptions options;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (concealed[kind] == 0) continue;
    const LookedUp rest = hand.without(kind);
    const KindMask accepted = rest.accepted();
    options.push_back({kind, rest.shanten(), accepted, unseen_tiles(accepted, seen)});
  }
  return options;
}

}  // namespace ippatsu::mahjong
