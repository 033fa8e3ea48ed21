#include "data/loader.h"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu::data {

namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct RandomRows {
  explicit RandomRows(int64_t count) : rows(count) {
    uint64_t state = 1;
    for (Row& row : rows) {
      for (uint64_t& word : row.planes) word = state *= 6364136223846793005;
      row.action = state >> 33 & 31;
      row.legal = {uint64_t{1} << row.action, 0};
    }
    split.add_game(rows);
  }

  std::vector<Row> rows;
  Split split;
};

void expect_equal(const Batch& a, const Batch& b) {
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.planes, b.planes);
  EXPECT_EQ(a.legal, b.legal);
  EXPECT_EQ(a.action, b.action);
  EXPECT_EQ(a.next, b.next);
}

// Batches that hold only their number, `count` of them.
Loader::MakeBatch numbered(int64_t count) {
  return [count, made = int64_t{0}](Batch& batch) mutable {
    if (made == count) return false;
    batch.size = ++made;
    return true;
  };
}

}  // namespace

TEST(Loader, GivesWhatTheMakerMakes) {
  const RandomRows data(100);
  const BatchOptions options{.batch_size = 8, .start = {3, 1, 16}, .end_epoch = 4};
  for (const int prefetch : {1, 2, 4}) {
    BatchMaker maker(data.split, options);
    Loader loader(data.split, options, prefetch);
    Batch made;
    Batch loaded;
    while (maker.make(made)) {
      ASSERT_TRUE(loader.next(loaded));
      expect_equal(loaded, made);
    }
    EXPECT_FALSE(loader.next(loaded));
    expect_equal(loaded, made);
    EXPECT_FALSE(loader.next(loaded)) << "the end stays the end";
  }
}

TEST(Loader, GoesOnWhereAnotherWasStopped) {
  const RandomRows data(37);
  BatchOptions options{.batch_size = 5, .start = {11, 0, 0}};
  Loader never_stopped(data.split, options);
  Batch expected;
  Batch batch;
  for (int life = 0; life < 6; ++life) {
    Loader loader(data.split, options);
    for (int i = 0; i < 3 + life; ++i) {
      ASSERT_TRUE(never_stopped.next(expected));
      ASSERT_TRUE(loader.next(batch));
      expect_equal(batch, expected);
    }
    options.start = batch.next;
  }
}

TEST(Loader, EndsWheneverItsUserStops) {
  const RandomRows data(64);
  for (int taken = 0; taken < 8; ++taken) {
    Loader loader(data.split, {.batch_size = 4}, 2);
    Batch batch;
    for (int i = 0; i < taken; ++i) ASSERT_TRUE(loader.next(batch));
  }
}

TEST(Loader, MakesNoMoreAheadThanAsked) {
  std::atomic<int> made = 0;
  Loader loader([&](Batch&) { return ++made > 0; }, 2);
  const auto expect_made = [&](int count) {
    while (made < count) std::this_thread::yield();
    std::this_thread::sleep_for(milliseconds(30));  // time to make one too many
    EXPECT_EQ(made, count);
  };
  expect_made(2);
  Batch batch;
  loader.next(batch);
  expect_made(3);
}

TEST(Loader, ThrowsWhatItsThreadThrewAfterTheBatchesBefore) {
  Loader loader(
      [made = 0](Batch& batch) mutable {
        if (made == 3) fail("the disk is on fire");
        batch.size = ++made;
        return true;
      },
      4);
  Batch batch;
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(loader.next(batch));
    EXPECT_EQ(batch.size, i);
  }
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT([&] { loader.next(batch); },
                ThrowsMessage<Error>(HasSubstr("the disk is on fire")));
}

TEST(Loader, UsesTheMemoryOfBatchesAgain) {
  const RandomRows data(64);
  Loader loader(data.split, {.batch_size = 4}, 2);
  Batch batch;
  std::vector<const uint8_t*> seen;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(loader.next(batch));
    if (std::ranges::find(seen, batch.planes.data()) == seen.end())
      seen.push_back(batch.planes.data());
  }
  EXPECT_LE(seen.size(), 3u);  // two ahead and the user's own
}

TEST(Loader, CountsTheTimeItsUserWaits) {
  Loader slow(
      [](Batch&) {
        std::this_thread::sleep_for(milliseconds(10));
        return true;
      },
      1);
  Batch batch;
  for (int i = 0; i < 10; ++i) slow.next(batch);
  EXPECT_GT(slow.times().waited, 0.05);
  EXPECT_GT(slow.times().wait_share(), 0.5);

  Loader fast(numbered(100), 4);
  for (int i = 0; i < 10; ++i) {
    std::this_thread::sleep_for(milliseconds(20));
    fast.next(batch);
  }
  EXPECT_GT(fast.times().total, 0.1);
  EXPECT_LT(fast.times().wait_share(), 0.5);
}

TEST(Loader, RefusesWhatMakesNoSense) {
  const RandomRows data(5);
  EXPECT_THAT([&] { Loader(data.split, {.batch_size = 0}); },
              ThrowsMessage<Error>(HasSubstr("a batch of 0 decisions")));
  EXPECT_THAT([&] { Loader(data.split, {}, 0); },
              ThrowsMessage<Error>(HasSubstr("0 batches cannot be made ahead")));
}

}  // namespace ippatsu::data
