#include "report/json_log.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"

namespace ippatsu::report {

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::filesystem::path scratch(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

std::filesystem::path file_with(const char* name, std::string_view content) {
  write_file_atomically(scratch(name), content);
  return scratch(name);
}

}  // namespace

TEST(JsonLog, ALineIsReadableAsSoonAsItIsWritten) {
  const auto path = scratch("written.jsonl");
  JsonLog log(path);
  log.write({{"step", 1}, {"loss", 3.5}});
  EXPECT_EQ(read_file(path), "{\"step\":1,\"loss\":3.5}\n");
  log.write({{"step", 2}, {"loss", std::nan("")}, {"top1", INFINITY}, {"name", "\xff"}});
  EXPECT_EQ(read_file(path),
            "{\"step\":1,\"loss\":3.5}\n"
            "{\"step\":2,\"loss\":null,\"top1\":null,\"name\":\"\uFFFD\"}\n");
}

TEST(JsonLog, ValuesComeBackWithTheirSteps) {
  const auto path = file_with("values.jsonl",
                              "{\"model\":\"small\"}\n{\"step\":1,\"loss\":3}\n{\"step\":2}\n"
                              "{\"step\":3,\"loss\":null}\n{\"step\":4,\"loss\":2.5}");
  const auto values = values_of(read_json_log(path), "loss");
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0].step, 1);
  EXPECT_EQ(values[0].value, 3);
  EXPECT_TRUE(std::isnan(values[1].value));
  EXPECT_EQ(values[2].step, 4);
}

TEST(JsonLog, ResumingKeepsJustTheStepsBefore) {
  struct Case {
    const char* before;
    int64_t last_step;
    const char* kept;
  };
  const Case cases[] = {
      {"{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n", 2, "{\"step\":1}\n{\"step\":2}\n"},
      {"{\"step\":1}\n{\"step\":2}\n", 9, "{\"step\":1}\n{\"step\":2}\n"},
      {"{\"step\":1}\n{\"step\":2}\n", 0, ""},
      {"{\"model\":\"x\"}\n{\"step\":5}\n{\"note\":1}\n", 4, "{\"model\":\"x\"}\n"},
      {"{\"step\":1}\n{\"step\":2,\"lo", 9, "{\"step\":1}\n"},
      {"{\"step\":1}\n{\"step\":2}", 9, "{\"step\":1}\n"},  // no newline: perhaps not all of it
      {"{\"st", 9, ""},
      {"", 9, ""},
  };
  for (const auto& [before, last_step, kept] : cases) {
    const auto path = file_with("resumed.jsonl", before);
    JsonLog::resume(path, last_step).write({{"step", 10}});
    EXPECT_EQ(read_file(path), std::string(kept) + "{\"step\":10}\n") << before;
  }
}

TEST(JsonLog, ResumingWithoutAFileStartsOne) {
  const auto path = scratch("fresh.jsonl");
  std::filesystem::remove(path);
  JsonLog::resume(path, 5).write({{"step", 6}});
  EXPECT_EQ(read_file(path), "{\"step\":6}\n");
}

TEST(JsonLog, WhatIsNoLogIsNamedAndLeftAlone) {
  for (const char* content : {"{\"step\":1}\nrubbish\n{\"step\":3}\n", "{\"step\":1}\n[2]\n",
                              "{\"step\":1}\n\n", "{\"step\":1}\n\"\xff\"\n"}) {
    const auto path = file_with("broken.jsonl", content);
    EXPECT_THAT([&] { read_json_log(path); },
                ThrowsMessage<Error>(HasSubstr("broken.jsonl: line 2 is not a JSON object")));
    EXPECT_THROW(JsonLog::resume(path, 1), Error);
    EXPECT_EQ(read_file(path), content);
  }
  EXPECT_THAT(
      [] {
        values_of({{{"step", 7}, {"loss", "low"}}}, "loss");
      },
      ThrowsMessage<Error>(HasSubstr("step 7: \"loss\" is string, not a number")));
  EXPECT_THAT([] { JsonLog("/no/such/folder/log"); },
              ThrowsMessage<Error>(HasSubstr("/no/such/folder/log: cannot open")));
}

TEST(JsonLog, AbsurdStepsAndDepthsAreHarmless) {
  const auto path = file_with("absurd.jsonl",
                              "{\"step\":18446744073709551615,\"loss\":1}\n"
                              "{\"step\":1e300,\"loss\":2}\n{\"step\":-5,\"loss\":1e999}\n");
  EXPECT_THROW(read_json_log(path), Error);  // 1e999 is out of range for JSON readers
  const std::string deep =
      "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}\n";
  EXPECT_EQ(read_json_log(file_with("deep.jsonl", deep)).size(), 1u);
}

}  // namespace ippatsu::report
