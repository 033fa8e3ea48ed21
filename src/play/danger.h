#pragma once

// How likely a discard is to be won on, by what everybody can see.

#include <array>

#include "play/sight.h"

namespace ippatsu::play {

// The chance in percent that this seat, being tenpai, wins on a tile of the kind. Rough figures for
// the middle of a round: nothing where it is furiten, little where a ryanmen wait would be (suji),
// or where its tiles are gone (walls).
double danger_of(const Sight& sight, int other, int kind);

// How much a seat has to be feared, as a share of a declared riichi.
double threat_of(const Sight& sight, int other);

struct Threats {
  explicit Threats(const Sight& sight);

  bool any() const { return most > 0; }
  // Of all other seats together, weighted by how much each has to be feared.
  double danger(int kind) const { return by_kind[kind]; }

  std::array<double, mahjong::kKinds> by_kind{};
  double most = 0;
};

}  // namespace ippatsu::play
