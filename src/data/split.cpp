#include "data/split.h"

#include <algorithm>
#include <cassert>

namespace ippatsu::data {

void Split::add_game(std::span<const Row> rows) {
  games_.push_back(rows);
  begins_.push_back(size_);
  size_ += static_cast<int64_t>(rows.size());
}

const Row& Split::operator[](int64_t index) const {
  assert(index >= 0 && index < size_);
  // The last game that begins at or before the index; games without a decision are passed over.
  const auto game = std::ranges::upper_bound(begins_, index) - begins_.begin() - 1;
  return games_[game][index - begins_[game]];
}

}  // namespace ippatsu::data
