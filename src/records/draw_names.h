#pragma once

// What mjai and Tenhou JSON call a round that nobody won.

#include <string_view>

#include "mahjong/event.h"

namespace ippatsu::mahjong {

// A name that is not known says as little as none: DrawKind::Unspecified.
DrawKind draw_kind_of_mjai(std::string_view reason);
DrawKind draw_kind_of_tenhou(std::string_view name);

// Empty for DrawKind::Unspecified.
std::string_view mjai_reason_of(DrawKind kind);
std::string_view tenhou_name_of(DrawKind kind);

}  // namespace ippatsu::mahjong
