#pragma once

// Who sits where, and their points.
//
// Seats are absolute: seat 0 is the first dealer. With three players seat 3 does not exist.

#include <array>
#include <cstdint>

namespace ippatsu::mahjong {

inline constexpr int kSeats = 4;

using Seat = int8_t;                         // 0..3
using Scores = std::array<int32_t, kSeats>;  // points, by seat

enum class Wind : uint8_t { East, South, West, North };

}  // namespace ippatsu::mahjong
