#include "data/batch.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu::data {

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// `count` decisions in games of three, each with a number of its own in its planes.
struct Numbered {
  explicit Numbered(int64_t count) : rows(count) {
    for (int64_t i = 0; i < count; ++i) {
      rows[i].planes.fill(0);
      rows[i].planes[0] = static_cast<uint64_t>(i);
      rows[i].action = i % mahjong::kTiles;
      rows[i].legal = {uint64_t{1} << rows[i].action | uint64_t{1} << 36, 0};
    }
    for (int64_t i = 0; i < count; i += 3)
      split.add_game(std::span(rows).subspan(i, std::min<int64_t>(3, count - i)));
  }

  std::vector<Row> rows;
  Split split;
};

int64_t number_of(const Batch& batch, int64_t row) {
  int64_t number = 0;
  for (int bit = 0; bit < 32; ++bit)
    number |= int64_t{batch.planes[row * mahjong::kFeatureBits + bit]} << bit;
  return number;
}

std::vector<int64_t> numbers_of(const Batch& batch) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < batch.size; ++i) numbers.push_back(number_of(batch, i));
  return numbers;
}

std::vector<std::vector<int64_t>> batches_of(const Split& split, const BatchOptions& options,
                                             int count) {
  BatchMaker maker(split, options);
  std::vector<std::vector<int64_t>> batches;
  Batch batch;
  for (int i = 0; i < count && maker.make(batch); ++i) batches.push_back(numbers_of(batch));
  return batches;
}

}  // namespace

TEST(BatchMaker, ShowsEachDecisionOnceAnEpoch) {
  const Numbered data(10);
  for (const int64_t epoch : {0, 1, 5}) {
    BatchMaker maker(data.split, {.batch_size = 4, .start = {7, epoch, 0}, .end_epoch = epoch + 1});
    std::multiset<int64_t> seen;
    std::vector<int64_t> sizes;
    Batch batch;
    while (maker.make(batch)) {
      sizes.push_back(batch.size);
      for (const int64_t number : numbers_of(batch)) seen.insert(number);
    }
    EXPECT_THAT(sizes, testing::ElementsAre(4, 4, 2));
    EXPECT_THAT(seen, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    EXPECT_EQ(batch.next, (Position{7, epoch + 1, 0}));
  }
}

TEST(BatchMaker, UnpacksRowsAsTheyAre) {
  Numbered data(2);
  for (size_t word = 0; word < data.rows[1].planes.size(); ++word)
    data.rows[1].planes[word] = 0x9e3779b97f4a7c15 * (word + 1);
  BatchMaker maker(data.split, {.batch_size = 2, .shuffle = false});
  Batch batch;
  ASSERT_TRUE(maker.make(batch));
  ASSERT_EQ(batch.planes.size(), 2u * mahjong::kFeatureBits);
  ASSERT_EQ(batch.legal.size(), 2u * mahjong::kTiles);
  for (int row = 0; row < 2; ++row) {
    for (int bit = 0; bit < mahjong::kFeatureBits; ++bit)
      ASSERT_EQ(batch.planes[row * mahjong::kFeatureBits + bit],
                data.rows[row].planes[bit / 64] >> (bit % 64) & 1);
    for (int action = 0; action < mahjong::kTiles; ++action)
      ASSERT_EQ(batch.legal[row * mahjong::kTiles + action], action == row || action == 36 ? 1 : 0);
    EXPECT_EQ(batch.action[row], row);
  }
}

TEST(BatchMaker, GoesOnExactlyFromAnyPosition) {
  const Numbered data(11);
  for (const bool drop_last : {false, true}) {
    const BatchOptions options{.batch_size = 3, .start = {5, 0, 0}, .drop_last = drop_last};
    const auto whole = batches_of(data.split, options, 20);
    BatchMaker maker(data.split, options);
    Batch batch;
    for (int done = 1; done < 20; ++done) {
      ASSERT_TRUE(maker.make(batch));
      BatchOptions rest = options;
      rest.start = batch.next;
      EXPECT_EQ(batches_of(data.split, rest, 20 - done),
                std::vector(whole.begin() + done, whole.end()))
          << "after " << done << " batches";
    }
  }
}

TEST(BatchMaker, DropsTheSmallerLastBatchWhenAsked) {
  const Numbered data(11);
  const auto batches =
      batches_of(data.split, {.batch_size = 4, .drop_last = true, .end_epoch = 2}, 100);
  ASSERT_EQ(batches.size(), 4u);
  for (const auto& batch : batches) EXPECT_EQ(batch.size(), 4u);
}

TEST(BatchMaker, KeepsTheOrderOfTheSplitUnshuffled) {
  const Numbered data(5);
  EXPECT_THAT(batches_of(data.split, {.batch_size = 3, .shuffle = false, .end_epoch = 1}, 9),
              testing::ElementsAre(std::vector<int64_t>{0, 1, 2}, std::vector<int64_t>{3, 4}));
}

TEST(BatchMaker, ABatchLargerThanTheEpochHoldsTheEpoch) {
  const Numbered data(5);
  EXPECT_THAT(batches_of(data.split, {.batch_size = 1000, .end_epoch = 2}, 9),
              testing::Each(testing::SizeIs(5)));
}

TEST(BatchMaker, RefusesWhatMakesNoSense) {
  const Numbered data(5);
  const Numbered none(0);
  struct Case {
    const Split& split;
    BatchOptions options;
    const char* message;
  };
  for (const auto& [split, options, message] : {
           Case{data.split, {.batch_size = 0}, "a batch of 0 decisions is not possible"},
           Case{data.split, {.batch_size = -3}, "a batch of -3 decisions is not possible"},
           Case{none.split, {.batch_size = 4}, "there is no decision"},
           Case{data.split, {.batch_size = 6, .drop_last = true}, "less than one batch of 6"},
           Case{data.split, {.start = {0, 0, 5}}, "epoch 0, index 5 is no position among 5"},
           Case{data.split, {.start = {0, 0, -1}}, "epoch 0, index -1 is no position"},
           Case{data.split, {.start = {0, -1, 0}}, "epoch -1, index 0 is no position"},
       })
    EXPECT_THAT([&] { BatchMaker(split, options); }, ThrowsMessage<Error>(HasSubstr(message)));
}

}  // namespace ippatsu::data
