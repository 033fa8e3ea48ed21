#include "report/safetensors.h"

#include <cstring>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu::report {

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::filesystem::path scratch(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string file_with(std::string_view header, std::string_view data = {}) {
  const uint64_t length = header.size();
  std::string file(8, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file.append(header).append(data);
}

std::string entry(std::string_view shape, std::string_view offsets, std::string_view dtype = "U8") {
  return fmt::format(R"({{"dtype":"{}","shape":{},"data_offsets":{}}})", dtype, shape, offsets);
}

}  // namespace

TEST(SafeTensors, WhatIsWrittenComesBack) {
  const auto path = scratch("back.safetensors");
  const SafeTensors content{.metadata = {{"step", "50"}},
                            .tensors = {{"a", {"U8", {3}, bytes_of("abc")}},
                                        {"b", {"F32", {1, 2}, bytes_of("12345678")}},
                                        {"empty", {"F32", {0}, {}}},
                                        {"scalar", {"I16", {}, bytes_of("xy")}}}};
  write_safetensors(path, content);
  SafeTensorsFile opened(path);
  const SafeTensorsFile file = std::move(opened);
  EXPECT_EQ(file.content().metadata, content.metadata);
  ASSERT_EQ(file.content().tensors.size(), content.tensors.size());
  for (const auto& [name, wanted] : content.tensors) {
    const auto& got = file.content().tensors.at(name);
    EXPECT_EQ(got.dtype, wanted.dtype);
    EXPECT_EQ(got.shape, wanted.shape);
    EXPECT_TRUE(std::ranges::equal(got.bytes, wanted.bytes)) << name;
    if (got.bytes.empty()) continue;
    const auto address = reinterpret_cast<uintptr_t>(got.bytes.data());
    EXPECT_EQ(address % (*bits_per_element(got.dtype) / 8), 0u) << name << " is not aligned";
  }
}

TEST(SafeTensors, NothingAtAllIsAFile) {
  write_safetensors(scratch("nothing.safetensors"), {});
  EXPECT_TRUE(SafeTensorsFile(scratch("nothing.safetensors")).content().tensors.empty());
}

TEST(SafeTensors, AnUnsoundFileIsOneClearSentence) {
  const std::string one = entry("[2]", "[0,2]");
  struct Case {
    std::string file;
    const char* message;
  };
  const Case cases[] = {
      {"", "ends after 0 bytes"},
      {"1234567", "ends after 7 bytes"},
      {std::string(8, '\xff'), "claims 18446744073709551615 bytes, more than"},
      {file_with("{}").substr(0, 9), "claims 2 bytes, but only 1 follow: the file is cut short"},
      {file_with(""), "does not begin with a brace"},
      {file_with(" {}"), "does not begin with a brace"},
      {file_with("[]"), "does not begin with a brace"},
      {file_with("{"), "not JSON"},
      {file_with("{}x"), "not JSON"},
      {file_with("{\"\xff\":1}"), "not JSON"},
      {file_with("{\"a\":" + std::string(200'000, '[')), "not JSON"},
      {file_with("{\"a\":" + one + ",\"a\":" + one + "}", "xy"), "names \"a\" twice"},
      {file_with(R"({"a":{"dtype":"U8","dtype":"U8"}})"), "names \"dtype\" twice"},
      {file_with(R"({"a":5})"), "tensor \"a\": its description is number, not an object"},
      {file_with(R"({"a":{}})"), "tensor \"a\": \"dtype\" is missing"},
      {file_with(R"({"a":{"dtype":8}})"), "\"dtype\" is number, not string"},
      {file_with(R"({"a":{"dtype":"U8","shape":{}}})"), "\"shape\" is object, not array"},
      {file_with("{\"a\":" + entry("[2]", "[0,2]", "U9") + "}", "xy"), "dtype \"U9\" is none"},
      {file_with("{\"a\":" + entry("[-2]", "[0,2]") + "}", "xy"), "a size of the shape must be"},
      {file_with("{\"a\":" + entry("[2.0]", "[0,2]") + "}", "xy"), "a size of the shape must be"},
      {file_with("{\"a\":" + entry("[2]", "[0]") + "}", "xy"), "has 1 numbers, not 2"},
      {file_with("{\"a\":" + entry("[2]", "[0,\"2\"]") + "}", "xy"), "an offset must be"},
      {file_with("{\"a\":" + entry("[2]", "[2,0]") + "}", "xy"), "begins at byte 2, after its end"},
      {file_with("{\"a\":" + entry("[3]", "[0,2]") + "}", "xy"), "[3] takes 3 bytes, not 2"},
      {file_with("{\"a\":" + entry("[4294967296,4294967296]", "[0,0]") + "}"), "is absurd"},
      {file_with("{\"a\":" + entry("[9223372036854775807]", "[0,0]", "F64") + "}"), "is absurd"},
      {file_with("{\"a\":" + entry("[1]", "[0,1]", "F4") + "}", "x"), "fills no whole byte"},
      {file_with("{\"a\":" + one + "}", "x"), "ends at byte 2 of the data, which has only 1"},
      {file_with("{\"a\":" + one + "}", "xyz"), "1 bytes follow the last tensor"},
      {file_with("{\"a\":" + entry("[2]", "[1,3]") + "}", "xyz"), "1 bytes before tensor \"a\""},
      {file_with("{\"a\":" + one + ",\"b\":" + entry("[2]", "[1,3]") + "}", "xyz"),
       "tensor \"b\" overlaps another at byte 1"},
      {file_with("{\"a\":" + entry("[1152921504606846975]", "[0,1152921504606846975]") + "}"),
       "the file is cut short"},
      {file_with(R"({"__metadata__":[]})"), "__metadata__ is array, not an object"},
      {file_with(R"({"__metadata__":{"step":5}})"), "__metadata__: \"step\" is not a string"},
      {file_with(R"({"__metadata__":{"a":"1","a":"2"}})"), "names \"a\" twice"},
  };
  for (const auto& [file, message] : cases)
    EXPECT_THAT([&] { parse_safetensors(bytes_of(file)); },
                ThrowsMessage<Error>(HasSubstr(message)));
}

TEST(SafeTensors, TheErrorNamesTheFile) {
  write_file_atomically(scratch("short.safetensors"), "123");
  EXPECT_THAT([] { SafeTensorsFile file(scratch("short.safetensors")); },
              ThrowsMessage<Error>(HasSubstr("short.safetensors: the file ends after 3 bytes")));
  EXPECT_THROW(SafeTensorsFile("/no/such/file"), Error);
  EXPECT_THROW(SafeTensorsFile("/"), Error);
}

TEST(SafeTensors, WhatCannotBeWrittenLeavesTheOldFile) {
  const auto path = scratch("kept.safetensors");
  write_safetensors(path, {.metadata = {{"old", "yes"}}});
  struct Case {
    SafeTensors content;
    const char* message;
  };
  const Case cases[] = {
      {{.tensors = {{"a", {"U9", {1}, bytes_of("x")}}}}, "tensor \"a\": dtype \"U9\" is none"},
      {{.tensors = {{"a", {"U8", {2}, bytes_of("x")}}}}, "[2] takes 2 bytes, not 1"},
      {{.tensors = {{"a", {"U8", {-1}, bytes_of("x")}}}}, "[-1] is absurd"},
      {{.tensors = {{"__metadata__", {"U8", {1}, bytes_of("x")}}}}, "keeps this name for itself"},
      {{.tensors = {{"\xff", {"U8", {1}, bytes_of("x")}}}}, "not UTF-8"},
      {{.metadata = {{"a", "\xff"}}}, "not UTF-8"},
  };
  for (const auto& [content, message] : cases)
    EXPECT_THAT(
        [&] { write_safetensors(path, content); },
        ThrowsMessage<Error>(testing::AllOf(HasSubstr("kept.safetensors"), HasSubstr(message))));
  EXPECT_EQ(SafeTensorsFile(path).content().metadata.at("old"), "yes");
}

// Each mutant is either refused with an Error or read with every byte inside the file.
TEST(SafeTensors, NoMutationBreaksTheReader) {
  const std::string header =
      "{\"__metadata__\":{\"k\":\"v\"},\"a\":" + entry("[2,2]", "[0,8]", "F16") +
      ",\"b\":" + entry("[]", "[8,12]", "F32") + ",\"c\":" + entry("[0,5]", "[12,12]") + "}";
  const std::string sound = file_with(header, "0123456789ab");
  ASSERT_EQ(parse_safetensors(bytes_of(sound)).tensors.size(), 3u);
  uint64_t state = 88172645463325252;  // xorshift64 (Marsaglia, 2003)
  const auto random = [&](size_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<size_t>(state % below);
  };
  constexpr std::string_view kPieces[] = {"-",
                                          "9",
                                          "0",
                                          "\"",
                                          "[",
                                          "]",
                                          "{",
                                          "}",
                                          ",",
                                          ":",
                                          "null",
                                          "e9",
                                          "\\",
                                          "\xff",
                                          std::string_view("\0", 1),
                                          "18446744073709551616"};
  int refused = 0, read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string mutant = sound;
    for (size_t edits = 1 + random(3); edits > 0 && !mutant.empty(); --edits) {
      const size_t at = random(mutant.size());
      switch (random(4)) {
        case 0:
          mutant[at] = static_cast<char>(random(256));
          break;
        case 1:
          mutant.erase(at, 1 + random(4));
          break;
        case 2:
          mutant.insert(at, kPieces[random(std::size(kPieces))]);
          break;
        case 3:
          mutant.resize(at + 1);
          break;
      }
    }
    // Half of them with a length that fits, so that the mutation is seen by the header's reader.
    if (mutant.size() > 20 && random(2) == 0) {
      const uint64_t length = mutant.size() - 20;
      std::memcpy(mutant.data(), &length, sizeof length);
    }
    const auto copy = std::make_unique<char[]>(mutant.size());  // no slack: overruns show in asan
    std::memcpy(copy.get(), mutant.data(), mutant.size());
    const std::span<const std::byte> file = bytes_of({copy.get(), mutant.size()});
    try {
      for (const auto& [name, tensor] : parse_safetensors(file).tensors) {
        ASSERT_GE(tensor.bytes.data(), file.data());
        ASSERT_LE(tensor.bytes.data() + tensor.bytes.size(), file.data() + file.size());
      }
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5000);
  EXPECT_GT(read, 50);
}

}  // namespace ippatsu::report
