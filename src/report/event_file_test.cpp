#include "report/event_file.h"

#include <cmath>
#include <cstring>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "report/crc32c.h"

namespace ippatsu::report {

namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::ThrowsMessage;

fs::path fresh_folder(const char* name) {
  const fs::path folder = fs::path(testing::TempDir()) / name;
  fs::remove_all(folder);
  return folder;
}

template <typename Integer>
Integer integer_at(std::string_view bytes) {
  Integer value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// The records of a TFRecord file, their checksums held to the data.
std::vector<std::string> records_of(const fs::path& path) {
  const std::string file = read_file(path);
  std::vector<std::string> records;
  for (std::string_view rest = file; !rest.empty();) {
    const auto length = integer_at<uint64_t>(rest);
    EXPECT_EQ(integer_at<uint32_t>(rest.substr(8)), masked_crc32c(rest.substr(0, 8)));
    const auto data = rest.substr(12, length);
    EXPECT_EQ(integer_at<uint32_t>(rest.substr(12 + length)), masked_crc32c(data));
    records.emplace_back(data);
    rest.remove_prefix(16 + length);
  }
  return records;
}

}  // namespace

TEST(EventFile, RecordsAreFramedAndBeginWithTheVersion) {
  EventFile events(fresh_folder("events"));
  events.scalar("loss", 3, 0.5);
  events.flush();
  const auto records = records_of(events.path());
  ASSERT_EQ(records.size(), 2u);
  EXPECT_THAT(records[0], HasSubstr("brain.Event:2"));
  // step = 3; summary { value { tag: "loss" simple_value: 0.5 } }, as protobuf encodes it
  EXPECT_THAT(records[1],
              EndsWith(std::string("\x10\x03\x2A\x0D\x0A\x0B\x0A\x04loss\x15\0\0\0\x3F", 17)));
}

TEST(EventFile, ALaterFileSortsAfterAnEarlierOne) {
  const auto folder = fresh_folder("several");
  fs::path previous = EventFile(folder).path();
  EXPECT_THAT(previous.filename().string(), testing::StartsWith("events.out.tfevents."));
  for (int i = 0; i < 12; ++i) {
    const fs::path path = EventFile::resume(folder, i).path();
    EXPECT_LT(previous, path);
    previous = path;
  }
}

TEST(EventFile, AFolderThatCannotBeMadeIsAnError) {
  const auto file = fresh_folder("in-the-way");
  write_file_atomically(file, "a file");
  EXPECT_THAT([&] { EventFile events(file / "run"); },
              ThrowsMessage<Error>(HasSubstr("cannot make the folder")));
  EXPECT_THAT([&] { EventFile events(file); }, ThrowsMessage<Error>(HasSubstr("in-the-way")));
}

}  // namespace ippatsu::report
