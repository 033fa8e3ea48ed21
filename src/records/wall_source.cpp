#include "records/wall_source.h"

#include <charconv>

#include "base/error.h"

namespace ippatsu::mahjong {

namespace {

uint64_t number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail("the wall's seed '{}' is not a number of 64 bits", text.substr(0, 40));
  return value;
}

}  // namespace

Wall WallSource::next(bool red_fives) {
  return std::visit([&](auto& walls) { return walls.next(red_fives); }, walls_);
}

std::optional<WallSource> wall_source(std::string_view seed) {
  if (seed.starts_with(kTenhouSeed)) return WallSource(TenhouWalls(seed));
  if (seed.starts_with(kShuffledSeed))
    return WallSource(ShuffledWalls(number(seed.substr(kShuffledSeed.size()))));
  return std::nullopt;
}

}  // namespace ippatsu::mahjong
