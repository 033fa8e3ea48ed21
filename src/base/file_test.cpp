#include "base/file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu {

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::filesystem::path scratch(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

}  // namespace

TEST(File, GzipComesBackWhole) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(gunzip(gzip(text)), text);
  EXPECT_EQ(gunzip(gzip("one") + gzip("two")), "onetwo");
  EXPECT_EQ(gunzip(gzip("")), "");
}

TEST(File, ATruncatedOrDamagedGzipIsAnError) {
  std::string packed = gzip("some text that is long enough to be cut somewhere in the middle");
  EXPECT_THAT([&] { gunzip(packed.substr(0, packed.size() / 2)); },
              ThrowsMessage<Error>(HasSubstr("cut short")));
  packed[packed.size() - 6] ^= 0x55;  // the checksum
  EXPECT_THAT([&] { gunzip(packed); }, ThrowsMessage<Error>(HasSubstr("damaged")));
}

TEST(File, AGzipThatUnpacksToTooMuchIsAnError) {
  const std::string zeros(1 << 20, '\0');
  EXPECT_EQ(gunzip(gzip(zeros), zeros.size()), zeros);
  EXPECT_THAT([&] { gunzip(gzip(zeros), zeros.size() - 1); },
              ThrowsMessage<Error>(HasSubstr("more than 1048575 bytes")));
  EXPECT_THAT([&] { gunzip(gzip(zeros) + gzip("x"), zeros.size()); },
              ThrowsMessage<Error>(HasSubstr("more than 1048576 bytes")));
}

TEST(File, ReadsPlainAndPackedFilesAlike) {
  write_file_atomically(scratch("plain"), "hello");
  write_file_atomically(scratch("packed"), gzip("hello"));
  EXPECT_EQ(read_file(scratch("plain")), "hello");
  EXPECT_EQ(read_file(scratch("packed")), "hello");
  EXPECT_THAT([] { read_file("/no/such/file"); },
              ThrowsMessage<Error>(HasSubstr("/no/such/file: cannot open")));
  EXPECT_THAT([] { read_file("/"); }, ThrowsMessage<Error>(HasSubstr("folder")));
}

TEST(File, AFailedWriteKeepsTheOldFile) {
  const auto path = scratch("kept");
  write_file_atomically(path, "old");
  EXPECT_THROW(write_file_atomically(path, [](const WritePiece&) { fail("disk on fire"); }), Error);
  EXPECT_EQ(read_file(path), "old");
}

TEST(File, AMappedFileShowsItsBytes) {
  write_file_atomically(scratch("mapped"), "bytes");
  MappedFile file(scratch("mapped"));
  const MappedFile moved = std::move(file);
  EXPECT_EQ(
      std::string_view(reinterpret_cast<const char*>(moved.bytes().data()), moved.bytes().size()),
      "bytes");
}

}  // namespace ippatsu
