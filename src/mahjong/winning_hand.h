#pragma once

// A complete hand, and how it was completed.

#include <cstdint>

#include "mahjong/event.h"
#include "mahjong/hand.h"
#include "mahjong/seat.h"
#include "mahjong/tile.h"

namespace ippatsu::mahjong {

enum class RiichiState : uint8_t { None, Riichi, DoubleRiichi };

// How the winning tile came.
struct WinSituation {
  bool tsumo = false;
  RiichiState riichi = RiichiState::None;
  bool ippatsu = false;
  bool replacement = false;  // tsumo on the tile drawn for a kan (rinshan)
  bool robbed = false;       // ron on the tile of a kan (chankan)
  bool last_tile = false;    // the wall is empty (haitei, houtei)
  bool first_turn = false;   // one's first draw, uninterrupted (tenhou, chiihou)
  Wind round_wind = Wind::East;
  Wind seat_wind = Wind::East;
};

struct WinningHand {
  Concealed concealed;  // with the winning tile, also for ron: 14 - 3 * melds tiles, complete
  Melds melds;
  Tile winning;
  WinSituation situation;
  Indicators dora_indicators;
  Indicators ura_indicators;  // they count with riichi only
  int norths = 0;             // set aside, each a dora (three players)
};

}  // namespace ippatsu::mahjong
