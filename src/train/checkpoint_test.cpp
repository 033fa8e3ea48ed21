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
  batch.legal.assign(2 * mahjong::kActions, 1);
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

TEST(Checkpoint, ALearnerGoesOnAsIfItHadNeverStopped) {
  Learner straight(tiny(1));
  straight.step(one_batch(), 0.1);
  const double expected = straight.step(one_batch(), 0.1).item<double>();

  Learner resumed(tiny(99));
  const RunState state = load_checkpoint(saved("whole"), resumed, kSettings);
  EXPECT_EQ(state.step, 1);
  EXPECT_EQ(state.position, (data::Position{5, 2, 7}));
  EXPECT_EQ(resumed.step(one_batch(), 0.1).item<double>(), expected);
  EXPECT_EQ(resumed.step(one_batch(), 0.1).item<double>(),
            straight.step(one_batch(), 0.1).item<double>());
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
  Learner learner(tiny(1)), untouched(tiny(1));
  const auto source = saved("refused");
  EXPECT_THROW(load_checkpoint(source, learner, {{"lr", "no"}}), Error);
  EXPECT_EQ(learner.step(one_batch(), 0.1).item<double>(),
            untouched.step(one_batch(), 0.1).item<double>());
}

}  // namespace ippatsu::train
