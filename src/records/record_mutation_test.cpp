// Small records with some bytes changed: they must be refused with an Error or read, and never
// crash.

#include <random>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "mahjong/features.h"
#include "records/check_record.h"
#include "records/read_record.h"
#include "records/replay.h"
#include "records/write_record.h"

namespace ippatsu::mahjong {
namespace {

constexpr int kMutations = 1500;  // of each file

class Mutator {
 public:
  explicit Mutator(uint32_t seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (int changes = 1 + below(3); changes > 0 && !text.empty(); --changes) change(text);
    return text;
  }

 private:
  int below(size_t limit) { return static_cast<int>(random_() % limit); }

  void change(std::string& text) {
    constexpr std::string_view kBytes = "0123456789-,.\"'<>/[]{}:TUVWDEFGmpszr\n\0\xff";
    const size_t at = below(text.size());
    const size_t length = std::min<size_t>(1 + below(40), text.size() - at);
    switch (below(6)) {
      case 0:
        text[at] = kBytes[below(kBytes.size())];
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 3:
        text.insert(at, std::string(1 + below(3), kBytes[below(kBytes.size())]));
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        std::swap(text[at], text[below(text.size())]);
        break;
    }
  }

  std::mt19937 random_;
};

// Its own errors say where the game becomes impossible, as replaying does.
void write(const Record& record) try {
  write_mjai(record);
  write_tenhou_json(record);
} catch (const Error& error) {
  EXPECT_EQ(std::string_view(error.what()).substr(0, 9), "mutated: ");
}

void read_and_use(const std::string& text) {
  const Record record = read_record_text(text, "mutated");
  check_record(record);
  write(record);
  std::array<uint64_t, kFeatureWords> bits;
  Replayer replayer(record);
  while (const Decision* decision = replayer.next()) encode(decision->view, bits);
}

class RecordMutation : public testing::TestWithParam<const char*> {};

TEST_P(RecordMutation, IsReadOrRefused) {
  const std::string text = read_file(GetParam());
  Mutator mutator(2026);
  int refused = 0;
  for (int i = 0; i < kMutations; ++i) try {
      read_and_use(mutator.mutate(text));
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 9), "mutated: ");
      ++refused;
    }
  EXPECT_GT(refused, kMutations / 2);
  EXPECT_NO_THROW(read_and_use(text));
}

INSTANTIATE_TEST_SUITE_P(
    Formats, RecordMutation,
    testing::Values("tests/records/open-kan.mjlog", "tests/records/added-kan.json",
                    "tests/records/closed-kan.mjai.jsonl", "tests/records/three-players.mjlog",
                    "tests/records/three-players.json", "tests/records/three-players.mjai.jsonl"));

}  // namespace
}  // namespace ippatsu::mahjong
