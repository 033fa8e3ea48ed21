#include "data/dataset.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "data/scratch_folder.h"
#include "records/read_record.h"
#include "records/replay.h"

namespace ippatsu::data {

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

fs::path example(int number) {
  return fs::path("examples/records") / fmt::format("game-{:04}.mjai.gz", number);
}

std::string raw(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int64_t decisions_in(const fs::path& path) {
  const mahjong::Record record = mahjong::read_record(path);
  mahjong::Replayer replayer(record);
  int64_t count = 0;
  while (const mahjong::Decision* decision = replayer.next()) count += decision->among_discards();
  return count;
}

std::vector<Row> rows_of(const Split& split) {
  std::vector<Row> rows;
  for (int64_t i = 0; i < split.size(); ++i) rows.push_back(split[i]);
  return rows;
}

bool equal(const Split& a, const Split& b) { return rows_of(a) == rows_of(b); }

// Copies of three example games, and a cache.
class DatasetFolder : public testing::Test {
 protected:
  DatasetFolder() {
    for (int i = 1; i <= 3; ++i) copy(i, fmt::format("{}.mjai.gz", i));
  }

  fs::path copy(int number, const std::string& name) { return write(name, raw(example(number))); }

  fs::path write(const std::string& name, std::string_view content) {
    write_file_atomically(folder_ / name, content);
    records_.push_back(folder_ / name);
    return folder_ / name;
  }

  Dataset open(double eval_fraction = 0, int threads = 1) {
    return Dataset(
        {.cache = cache_, .records = records_, .eval_fraction = eval_fraction, .threads = threads});
  }

  std::vector<fs::path> shards() const {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(cache_)) paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
  }

  const ScratchFolder folder_;
  const fs::path cache_ = folder_ / "cache";
  std::vector<fs::path> records_;
};

}  // namespace

TEST_F(DatasetFolder, HoldsEveryDecisionOfEveryRecord) {
  const Dataset dataset = open();
  int64_t decisions = 0;
  for (int i = 1; i <= 3; ++i) decisions += decisions_in(example(i));
  EXPECT_EQ(dataset.counts().files, 3);
  EXPECT_EQ(dataset.counts().games, 3);
  EXPECT_EQ(dataset.counts().encoded, 3);
  EXPECT_EQ(dataset.counts().decisions, decisions);
  EXPECT_EQ(dataset.train().size(), decisions);
  EXPECT_EQ(dataset.eval().size(), 0);
}

TEST_F(DatasetFolder, EncodesOnlyOnce) {
  const Dataset first = open();
  const Dataset second = open();
  EXPECT_EQ(second.counts().encoded, 0);
  EXPECT_EQ(second.fingerprint(), first.fingerprint());
  EXPECT_TRUE(equal(first.train(), second.train()));
}

TEST_F(DatasetFolder, DoesNotDependOnNamesOrThreadsOrHistory) {
  const Dataset first = open();
  fs::rename(folder_ / "1.mjai.gz", folder_ / "z");
  records_ = {folder_ / "z", folder_ / "2.mjai.gz", folder_ / "3.mjai.gz"};
  const Dataset renamed = open();
  EXPECT_EQ(renamed.counts().encoded, 0);
  fs::remove_all(cache_);
  const Dataset anew = open(0, 4);
  EXPECT_EQ(anew.counts().encoded, 3);
  for (const Dataset* other : {&renamed, &anew}) {
    EXPECT_EQ(other->fingerprint(), first.fingerprint());
    EXPECT_TRUE(equal(first.train(), other->train()));
  }
}

TEST_F(DatasetFolder, AChangedRecordIsEncodedAnewAndTheOthersAreNot) {
  const uint64_t before = open().fingerprint();
  write_file_atomically(folder_ / "2.mjai.gz", raw(example(4)));
  const Dataset dataset = open();
  EXPECT_EQ(dataset.counts().encoded, 1);
  EXPECT_EQ(dataset.counts().decisions,
            decisions_in(example(1)) + decisions_in(example(4)) + decisions_in(example(3)));
  EXPECT_NE(dataset.fingerprint(), before);
}

TEST_F(DatasetFolder, ARecordNoLongerGivenIsNoLongerThere) {
  open();
  records_.pop_back();
  const Dataset dataset = open();
  EXPECT_EQ(dataset.counts().encoded, 0);
  EXPECT_EQ(dataset.counts().decisions, decisions_in(example(1)) + decisions_in(example(2)));
}

TEST_F(DatasetFolder, ADamagedCacheIsEncodedAgain) {
  const Dataset first = open();
  constexpr size_t kFeatureVersionOffset = 12;
  const std::vector<std::function<void(std::string&)>> damages{
      [](std::string& shard) { shard.resize(shard.size() / 2); },
      [](std::string& shard) { shard.clear(); },
      [](std::string& shard) { shard[shard.size() / 2] ^= 1; },
      [](std::string& shard) { shard[kFeatureVersionOffset] ^= 1; },
      [](std::string& shard) { shard = "not a shard, but long enough to be one: " + shard; },
  };
  for (const auto& damage : damages) {
    for (const fs::path& path : shards()) {
      std::string content = raw(path);
      damage(content);
      write_file_atomically(path, content);
    }
    const Dataset again = open();
    EXPECT_EQ(again.counts().encoded, 3);
    EXPECT_TRUE(equal(first.train(), again.train()));
    EXPECT_EQ(open().counts().encoded, 0);
  }
}

TEST_F(DatasetFolder, BadRecordsAreListedAndTheOthersGoOn) {
  const int64_t decisions = open().counts().decisions;
  const std::string packed = raw(example(5));
  const fs::path cut = write("cut.mjai.gz", packed.substr(0, packed.size() / 2));
  const fs::path empty = write("empty.json", "");
  const fs::path nonsense = write("nonsense.mjlog", "once upon a time");
  records_.push_back(folder_ / "missing.mjai.gz");
  for (int run = 0; run < 2; ++run) {
    const Dataset dataset = open();
    EXPECT_EQ(dataset.counts().files, 7);
    EXPECT_EQ(dataset.counts().bad_files, 4);
    EXPECT_EQ(dataset.counts().decisions, decisions);
    std::vector<fs::path> bad;
    for (const BadRecord& record : dataset.bad_records()) {
      bad.push_back(record.path);
      EXPECT_THAT(record.message, HasSubstr(record.path.string()));
    }
    EXPECT_THAT(bad, testing::ElementsAre(cut, empty, folder_ / "missing.mjai.gz", nonsense));
  }
}

TEST_F(DatasetFolder, EqualContentCountsOnce) {
  const int64_t decisions = open().counts().decisions;
  copy(2, "copy.mjai.gz");
  records_.push_back(records_.front());
  const Dataset dataset = open();
  EXPECT_EQ(dataset.counts().files, 4) << "the same path twice is one file";
  EXPECT_EQ(dataset.counts().duplicates, 1);
  EXPECT_EQ(dataset.counts().decisions, decisions);
}

TEST_F(DatasetFolder, SplitsByGame) {
  for (int i = 4; i <= 40; ++i) copy(i, fmt::format("{}.mjai.gz", i));
  const Dataset dataset = open(0.3);
  EXPECT_EQ(dataset.train().games() + dataset.eval().games(), 40);
  EXPECT_EQ(dataset.train().size() + dataset.eval().size(), dataset.counts().decisions);
  EXPECT_NEAR(dataset.eval().games(), 12, 10);
  const Dataset smaller = open(0.1);
  EXPECT_LT(smaller.eval().games(), dataset.eval().games());
  EXPECT_NE(smaller.fingerprint(), dataset.fingerprint());

  // What is kept for evaluation stays so when records are added or renamed.
  const auto key = [](const Row& row) { return std::string((const char*)&row, sizeof row); };
  std::set<std::string> eval;
  for (const Row& row : rows_of(dataset.eval())) eval.insert(key(row));
  records_.resize(20);
  const Dataset fewer = open(0.3);
  for (const Row& row : rows_of(fewer.eval())) ASSERT_TRUE(eval.contains(key(row)));
}

TEST_F(DatasetFolder, TellsOfItsProgress) {
  std::vector<int64_t> done;
  EncodingProgress last;
  const auto on_progress = [&](const EncodingProgress& progress) {
    done.push_back(progress.done);
    last = progress;
  };
  write("bad.json", "bad");
  const Dataset dataset(
      {.cache = cache_, .records = records_, .threads = 3, .on_progress = on_progress});
  EXPECT_THAT(done, testing::ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(last.total, 4);
  EXPECT_EQ(last.encoded, 3);
}

TEST_F(DatasetFolder, OneClearSentenceWhenThereIsNothingToTrainOn) {
  records_.clear();
  EXPECT_THAT([&] { open(); }, ThrowsMessage<Error>(HasSubstr("no game records were given")));
  write("a.json", "bad");
  write("b.json", "worse");
  EXPECT_THAT([&] { open(); },
              ThrowsMessage<Error>(HasSubstr("none of the 2 records could be read; the first: ")));
}

TEST_F(DatasetFolder, RefusesOptionsThatMakeNoSense) {
  for (const double fraction : {-0.1, 1.0, std::nan("")})
    EXPECT_THAT([&] { open(fraction); },
                ThrowsMessage<Error>(HasSubstr("the share of games for evaluation")));
  EXPECT_THAT([&] { open(0, 0); }, ThrowsMessage<Error>(HasSubstr("0 threads")));
}

TEST_F(DatasetFolder, ACacheThatCannotBeWrittenIsAnError) {
  write_file_atomically(cache_, "a file where the folder should be");
  EXPECT_THAT([&] { open(); }, ThrowsMessage<Error>(HasSubstr("cache")));
}

}  // namespace ippatsu::data
