// The port check of NAGA itself, trained as `ippatsu train` does it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/examination.h"
#include "check/present.h"
#include "device/ippatsu.h"
#include "mahjong/features.h"
#include "mahjong/tile.h"
#include "train/learner.h"

namespace ippatsu::cli {

namespace {

// Any decisions will do: every third tile is legal, the first one is chosen.
data::Batch batch(int64_t size) {
  data::Batch batch{.size = size};
  const auto count = static_cast<size_t>(size);
  batch.planes.resize(count * mahjong::kPlanes * mahjong::kKinds);
  batch.actions = mahjong::kTiles;
  batch.legal.resize(count * mahjong::kTiles);
  batch.action.resize(count, 0);
  for (size_t i = 0; i < batch.planes.size(); ++i) batch.planes[i] = i % 5 == 0;
  for (size_t i = 0; i < batch.legal.size(); ++i) batch.legal[i] = i % mahjong::kTiles % 3 == 0;
  return batch;
}

}  // namespace

TEST(NagaCheck, TrainingAndEvaluationHaveNothingToFind) {
  initialize();
  train::Learner learner({.config = {"test", 64, 2},
                          .device = torch::Device("ippatsu"),
                          .label_smoothing = 0.1,
                          .dropout = 0.1});
  check::Examination examination({.subject = "naga"});
  for (int step = 1; step <= 5; ++step) {
    examination.begin_step();
    learner.step(batch(16), 1e-3 * step);
    learner.evaluate(batch(16));
    wait();
    examination.end_step();
  }
  const check::Report report = examination.report();
  EXPECT_THAT(report.findings, testing::IsEmpty()) << check::to_text(report);
  EXPECT_EQ(report.compile_count, "2 in all");
}

}  // namespace ippatsu::cli
