#include "train/checkpoint.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "mahjong/features.h"
#include "mahjong/tile.h"

namespace ippatsu::train {

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::map<std::string, std::string> kSettings{{"lr", "0.1"}};

LearnerOptions tiny(uint64_t seed) { return {.config = {"test", 16, 1}, .seed = seed}; }

data::Batch one_batch() {
  data::Batch batch{.size = 2};
  batch.planes.assign(2 * mahjong::kPlanes * mahjong::kKinds, 1);
  batch.actions = mahjong::kTiles;
  batch.legal.assign(2 * mahjong::kTiles, 1);
  batch.action = {3, 30};
  return batch;
}

std::filesystem::path path(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

std::filesystem::path saved(const char* name) {
  Learner learner(tiny(1));
  learner.step(one_batch(), 0.1);
  save_checkpoint(path(name), learner, {.step = 1, .position = {5, 2, 7}, .settings = kSettings});
  return path(name);
}

}  // namespace

// That what is saved is all there is to save, AResumedRunLosesNothing shows on the device. On the
// CPU only the state is held to the bit: MKL's sums depend on more than their operands.
TEST(Checkpoint, BringsBackAllThatItHolds) {
  Learner straight(tiny(1));
  straight.step(one_batch(), 0.1);

  Learner resumed(tiny(99));
  const auto source = saved("whole");
  const RunState state = load_checkpoint(source, resumed, kSettings);
  EXPECT_EQ(state.step, 1);
  EXPECT_EQ(state.position, (data::Position{5, 2, 7}));
  save_checkpoint(path("again"), resumed, state);
  EXPECT_EQ(read_file(path("again")), read_file(source));
  EXPECT_NEAR(resumed.step(one_batch(), 0.1).item<double>(),
              straight.step(one_batch(), 0.1).item<double>(), 1e-3);
}

TEST(Checkpoint, OneCutShortOrOfAnotherKindIsRefused) {
  const std::string whole = read_file(saved("source"));
  Learner learner(tiny(1));
  for (const size_t size : {size_t{0}, size_t{5}, whole.size() / 2, whole.size() - 1}) {
    write_file_atomically(path("cut"), whole.substr(0, size));
    EXPECT_THROW(load_checkpoint(path("cut"), learner, kSettings), Error) << size;
  }
  EXPECT_THAT([&] { load_checkpoint(path("missing"), learner, kSettings); },
              ThrowsMessage<Error>(HasSubstr("missing")));
  EXPECT_THAT(
      [&] {
        load_checkpoint(saved("other"), learner, {{"lr", "0.2"}});
      },
      ThrowsMessage<Error>(HasSubstr("was made with lr = 0.1, this run has 0.2")));
  Learner wider({.config = {"test", 32, 1}});
  EXPECT_THAT(
      [&] { load_checkpoint(saved("shape"), wider, kSettings); },
      ThrowsMessage<Error>(testing::ContainsRegex("holds model[.].* as F32.*, the model has F32")));
}

TEST(Checkpoint, ARefusedOneChangesNothing) {
  const auto source = saved("refused");
  Learner learner(tiny(2));
  learner.step(one_batch(), 0.1);
  save_checkpoint(path("before"), learner, {});
  EXPECT_THROW(load_checkpoint(source, learner, {{"lr", "no"}}), Error);
  save_checkpoint(path("after"), learner, {});
  EXPECT_EQ(read_file(path("after")), read_file(path("before")));
}

}  // namespace ippatsu::train
