#include "data/batch.h"

#include <algorithm>

#include "base/error.h"
#include "data/unpack.h"

namespace ippatsu::data {

namespace {

void check_options(const Split& split, const BatchOptions& options) {
  if (options.batch_size < 1)
    fail("a batch of {} decisions is not possible; give at least 1", options.batch_size);
  if (split.size() == 0) fail("there is no decision to make a batch of");
  if (options.drop_last && split.size() < options.batch_size)
    fail("{} decisions are less than one batch of {}, and smaller batches are left out",
         split.size(), options.batch_size);
  const Position& start = options.start;
  if (start.epoch < 0 || start.index < 0 || start.index >= split.size())
    fail("epoch {}, index {} is no position among {} decisions; were the records changed?",
         start.epoch, start.index, split.size());
}

// The elements of row `row` in a [B, width] array.
template <typename T>
std::span<T> row_of(std::vector<T>& values, int64_t row, int64_t width) {
  return std::span(values).subspan(row * width, width);
}

}  // namespace

void Batch::resize(int64_t rows, mahjong::Policy policy) {
  size = rows;
  actions = mahjong::action_count(policy);
  planes.resize(rows * mahjong::kFeatureBits);
  legal.resize(rows * actions);
  action.resize(rows);
}

void Batch::set(int64_t place, const Row& row) {
  unpack_bits(row.planes, row_of(planes, place, mahjong::kFeatureBits));
  unpack_bits(row.legal, row_of(legal, place, actions));
  action[place] = static_cast<int64_t>(row.action);
}

BatchMaker::BatchMaker(const Split& split, const BatchOptions& options)
    : split_(&split),
      options_(options),
      position_(options.start),
      order_(split.size(), options.start.seed, options.start.epoch) {
  check_options(split, options);
  end_epoch_if_spent();
}

bool BatchMaker::make(Batch& batch) {
  if (options_.end_epoch && position_.epoch >= *options_.end_epoch) return false;
  batch.resize(std::min(options_.batch_size, split_->size() - position_.index), options_.policy);
  for (int64_t i = 0; i < batch.size; ++i) {
    const int64_t place = position_.index + i;
    batch.set(i, (*split_)[options_.shuffle ? order_[place] : place]);
  }
  position_.index += batch.size;
  end_epoch_if_spent();
  batch.next = position_;
  return true;
}

void BatchMaker::end_epoch_if_spent() {
  const int64_t left = split_->size() - position_.index;
  const bool spent = options_.drop_last ? left < options_.batch_size : left == 0;
  if (!spent) return;
  position_ = {position_.seed, position_.epoch + 1, 0};
  order_ = Permutation(split_->size(), position_.seed, position_.epoch);
}

}  // namespace ippatsu::data
