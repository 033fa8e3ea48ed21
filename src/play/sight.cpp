#include "play/sight.h"

#include <algorithm>

#include "mahjong/kind_masks.h"
#include "mahjong/payment.h"

namespace ippatsu::play {

using namespace mahjong;

Sight::Sight(const Question& question)
    : table(*question.table),
      self(question.self()),
      seat(question.seat),
      seen(question.table->open_kinds()) {
  for (int kind = 0; kind < kKinds; ++kind) seen[kind] += self.concealed.count_kind(kind);
  for (const Tile indicator : table.dora_indicators())
    ++dora[dora_kind(indicator.kind(), table.rules().players)];
  yakuhai = kDragons | bit(kEast + static_cast<int>(table.round_wind())) |
            bit(kEast + static_cast<int>(table.wind_of(seat)));
}

int Sight::bonus(const Concealed& concealed) const {
  int han = 0;
  for (int index = 0; index < kTiles; ++index)
    han += concealed.count(Tile::of_index(index)) * bonus(Tile::of_index(index));
  return han;
}

int Sight::bonus(const Melds& melds) const {
  int han = 0;
  for (const Meld& meld : melds)
    for (const Tile tile : meld.tiles()) han += bonus(tile);
  return han;
}

int Sight::rank() const {
  const auto order = ranking(table.scores(), table.rules());
  return static_cast<int>(std::ranges::find(order, seat) - order.begin());
}

}  // namespace ippatsu::play
