#pragma once

// The decisions of some of the games: random access over rows that lie elsewhere.

#include <cstdint>
#include <span>
#include <vector>

#include "data/encoded_record.h"

namespace ippatsu::data {

class Split {
 public:
  // Appends one game, whose rows must outlive the split.
  void add_game(std::span<const Row> rows);

  int64_t size() const { return size_; }  // decisions
  int64_t games() const { return static_cast<int64_t>(games_.size()); }

  // Decision `index`, 0 <= index < size(), in O(log games).
  const Row& operator[](int64_t index) const;

 private:
  std::vector<std::span<const Row>> games_;
  std::vector<int64_t> begins_;  // each game's first decision
  int64_t size_ = 0;
};

}  // namespace ippatsu::data
