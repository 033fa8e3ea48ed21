#pragma once

// Which decisions a model is for.

#include <cstdint>
#include <string_view>

#include "mahjong/action.h"

namespace ippatsu::mahjong {

enum class Policy : uint8_t {
  Discard,  // which tile to discard; the actions are the tiles
  Full      // every choice, over the whole space of actions
};

constexpr int action_count(Policy policy) {
  return policy == Policy::Discard ? kTiles : Action::kCount;
}

constexpr std::string_view name_of(Policy policy) {
  return policy == Policy::Discard ? "discard" : "full";
}

}  // namespace ippatsu::mahjong
