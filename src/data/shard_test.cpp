#include "data/shard.h"

#include <algorithm>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "data/scratch_folder.h"

namespace ippatsu::data {

namespace {

namespace fs = std::filesystem;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::ThrowsMessage;

EncodedRecord sample(uint64_t hash, std::vector<GameRows> games) {
  EncodedRecord record{{hash, 100}, std::move(games), {}};
  for (const GameRows& game : record.games) {
    for (uint32_t i = 0; i < game.all(); ++i) {
      Row& row = record.rows.emplace_back();
      row.planes.fill(hash * 1000 + i);
      row.action = (hash + i) % mahjong::kTiles;
      if (i >= game.discards) row.action = mahjong::Action::win().index();
      row.legal = {};
      row.legal[row.action / 64] = uint64_t{1} << (row.action % 64);
      row.legal[0] |= 1;
    }
  }
  return record;
}

class ShardFile : public testing::Test {
 protected:
  void write(std::span<const EncodedRecord> records) {
    std::vector<SourceRows> sources;
    for (const EncodedRecord& record : records) sources.push_back(record.view());
    write_shard(path_, sources);
  }

  // Writes two sources and then changes the file.
  void write_changed(const std::function<void(std::string&)>& change) {
    write(std::vector{sample(1, {{2, 1}, {3, 0}}), sample(2, {{4, 2}})});
    std::string content = read_file(path_);
    change(content);
    overwrite(content);
  }

  void overwrite(std::string_view content) { std::ofstream(path_, std::ios::binary) << content; }

  void expect_failure(const char* message) {
    EXPECT_THAT([&] { Shard{path_}; }, ThrowsMessage<Error>(testing::AllOf(
                                           HasSubstr("test.shard: "), HasSubstr(message))));
  }

  const ScratchFolder folder_;
  const fs::path path_ = folder_ / "test.shard";
};

constexpr size_t kVersionOffset = 8;
constexpr size_t kFeatureVersionOffset = 12;
constexpr size_t kRowCountOffset = 40;
constexpr size_t kHeaderBytes = 56;

}  // namespace

TEST_F(ShardFile, GivesBackWhatWasWritten) {
  const std::vector records{sample(1, {{2, 0}, {3, 2}, {0, 0}}), sample(5, {}),
                            sample(9, {{1, 1}, {0, 0}, {7, 3}})};
  write(records);
  const Shard shard(path_);
  ASSERT_EQ(shard.sources().size(), records.size());
  for (const EncodedRecord& record : records) {
    const SourceRows* found = shard.find(record.key);
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(found->games, ElementsAreArray(record.games));
    EXPECT_TRUE(std::ranges::equal(found->rows, record.rows));
  }
}

TEST_F(ShardFile, LacksWhatWasNotWritten) {
  write(std::vector{sample(1, {{2, 1}}), sample(9, {{1, 0}})});
  const Shard shard(path_);
  EXPECT_EQ(shard.find({5, 100}), nullptr);
  EXPECT_EQ(shard.find({1, 99}), nullptr);
  EXPECT_EQ(shard.find({10, 100}), nullptr);
}

TEST_F(ShardFile, SurvivesBeingMoved) {
  write(std::vector{sample(3, {{4, 4}})});
  Shard shard(path_);
  const Shard moved = std::move(shard);
  EXPECT_EQ(moved.sources()[0].rows[3].planes[0], 3003u);
}

TEST_F(ShardFile, AnEmptyShardIsAShard) {
  write({});
  EXPECT_TRUE(Shard(path_).sources().empty());
}

TEST_F(ShardFile, CutShortAtAnyLengthIsAnError) {
  write_changed([](std::string&) {});
  const std::string whole = read_file(path_);
  for (size_t length = 0; length < whole.size(); length += 29) {
    overwrite(whole.substr(0, length));
    expect_failure("is cut short");
  }
}

TEST_F(ShardFile, AnyChangedByteIsAnError) {
  write_changed([](std::string&) {});
  const std::string whole = read_file(path_);
  for (size_t place = 0; place < whole.size(); place += 31) {
    std::string changed = whole;
    changed[place] ^= 0x10;
    overwrite(changed);
    EXPECT_THROW(Shard{path_}, Error) << "byte " << place;
  }
}

TEST_F(ShardFile, SaysWhatIsWrong) {
  write_changed([](std::string& content) { content[0] = 'x'; });
  expect_failure("is not a shard");
  write_changed([](std::string& content) { content[kVersionOffset] = 99; });
  expect_failure("was written in format 99");
  write_changed([](std::string& content) { content[kFeatureVersionOffset] = 98; });
  expect_failure("holds features of version 98");
  write_changed([](std::string& content) { content[kRowCountOffset + 7] = 1; });
  expect_failure("its header counts");
  write_changed([](std::string& content) { content += "more"; });
  expect_failure("bytes where");
  write_changed([](std::string& content) { content.back() ^= 1; });
  expect_failure("its checksum does not fit");
  overwrite("");
  expect_failure("is cut short");
}

// What a program with a fault of its own might write: the checksum fits, the content does not.
TEST_F(ShardFile, ChecksMeaningAndNotOnlyBytes) {
  EncodedRecord record = sample(1, {{2, 1}});
  record.rows[1].action = mahjong::Action::kCount;
  write(std::vector{record});
  expect_failure("action 85 is not among the legal ones");
  record.rows[1].action = mahjong::kTiles;
  record.rows[1].legal = {uint64_t{1} << mahjong::kTiles, 0};
  write(std::vector{record});
  expect_failure("action 37 stands among the discards");
  record.rows[1].action = 4;
  record.rows[1].legal = {1, 0};
  write(std::vector{record});
  expect_failure("action 4 is not among the legal ones");
  record = sample(1, {{2, 1}});
  record.games = {{1, 1}};
  write(std::vector{record});
  expect_failure("games of 2 rows in a source of 3");
}

TEST_F(ShardFile, TheTestKnowsTheHeader) {
  write({});
  EXPECT_EQ(fs::file_size(path_), kHeaderBytes);
}

}  // namespace ippatsu::data
