#pragma once

// Batches of decisions in shuffled order, from any position on.
//
// A position says all that decides what comes next: a maker that starts at a batch's `next` makes
// what the first one would have made.

#include <cstdint>
#include <optional>
#include <vector>

#include "data/encoded_record.h"
#include "data/permutation.h"
#include "data/split.h"
#include "mahjong/policy.h"

namespace ippatsu::data {

// A place in the endless sequence of decisions: `index` decisions into the epoch, whose order the
// seed and the epoch decide.
struct Position {
  uint64_t seed = 0;
  int64_t epoch = 0;
  int64_t index = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

struct Batch {
  int64_t size = 0;             // B
  std::vector<uint8_t> planes;  // [B, mahjong::kPlanes, mahjong::kKinds], 0 or 1
  int64_t actions = 0;          // A: mahjong::action_count of the policy
  std::vector<uint8_t> legal;   // [B, A], 0 or 1
  std::vector<int64_t> action;  // [B], 0 .. A - 1
  Position next;                // where to go on after this batch

  // Makes room for `rows` decisions of the policy, to be set one by one.
  void resize(int64_t rows, mahjong::Policy policy);
  void set(int64_t place, const Row& row);
};

struct BatchOptions {
  int64_t batch_size = 1;
  mahjong::Policy policy = mahjong::Policy::Discard;  // that of the split's decisions
  Position start{};
  bool shuffle = true;                 // else in the order of the split
  bool drop_last = false;              // leave out an epoch's last batch where it is smaller
  std::optional<int64_t> end_epoch{};  // stop before this epoch; else go on for ever
};

class BatchMaker {
 public:
  // `split` must outlive the maker. Fails on a batch size below one, a split without decisions (or,
  // with drop_last, without one whole batch), and a start outside its epoch.
  BatchMaker(const Split& split, const BatchOptions& options);

  // Makes the next batch in the memory of `batch`. False, with `batch` as it was, at the end.
  bool make(Batch& batch);

 private:
  void end_epoch_if_spent();

  const Split* split_;
  BatchOptions options_;
  Position position_;
  Permutation order_;
};

}  // namespace ippatsu::data
