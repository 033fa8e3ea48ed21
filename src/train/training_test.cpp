// Whole runs of a tiny NAGA on example records, on the CPU and on the device.

#include "train/training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "device/ippatsu.h"
#include "report/json_log.h"

namespace ippatsu::train {

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Training : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    initialize();
    strict(true);
  }
  void SetUp() override {
    fs::remove_all(folder());
    reset_metrics();
  }
  void TearDown() override { fs::remove_all(folder()); }

  static fs::path folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return fs::path(testing::TempDir()) / (std::string("training-") + test->name());
  }

  static TrainingOptions options(torch::Device device, const char* out) {
    TrainingOptions options{
        .cache = folder() / "cache", .out = folder() / out, .batch_size = 32, .eval_fraction = 0.5};
    for (int game = 1; game <= 8; ++game)
      options.records.push_back(fmt::format("examples/records/game-{:04}.mjai.gz", game));
    options.learner = {
        .config = {"test", 32, 2}, .device = device, .seed = 5, .label_smoothing = 0.1};
    options.schedule = {.peak = 3e-3, .warmup_steps = 5, .total_steps = 20};
    options.eval_every = 10;
    options.eval_batches = 2;
    return options;
  }

  static std::vector<double> logged_losses(const fs::path& out) {
    std::vector<double> losses;
    for (const auto& value : report::values_of(report::read_json_log(out / "log.jsonl"), "loss"))
      losses.push_back(value.value);
    return losses;
  }
};

}  // namespace

TEST_F(Training, OnTheDeviceEqualsTheCpu) {
  const auto expected = train_naga(options(torch::kCPU, "cpu")).losses;
  const auto actual = train_naga(options(torch::Device("ippatsu"), "ours")).losses;
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], 1e-4 * expected[i]) << "step " << i + 1;
  EXPECT_LT(expected.back(), expected.front());
  EXPECT_EQ(logged_losses(folder() / "ours"), actual);
}

// The first step makes the optimizer's state, the second is the step that all later ones are; an
// evaluation is a third program.
TEST_F(Training, CompilesNothingAfterTheSecondStep) {
  auto wanted = options(torch::Device("ippatsu"), "ours");
  wanted.learner.config.width = 48;  // no other test's program
  wanted.schedule.total_steps = 30;
  train_naga(wanted);
  EXPECT_EQ(metrics().compiles, 3) << metrics_report();
  EXPECT_TRUE(metrics().fallbacks.empty()) << metrics_report();
}

// To the bit on the device. On the CPU MKL's sums depend on more than their operands.
TEST_F(Training, AResumedRunLosesNothing) {
  for (const auto device : {torch::Device(torch::kCPU), torch::Device("ippatsu")}) {
    SCOPED_TRACE(device.str());
    auto wanted = options(device, device.is_cpu() ? "cpu" : "ours");
    wanted.learner.dropout = 0.2;
    wanted.checkpoint_every = 8;
    const auto straight = train_naga(wanted).losses;

    auto interrupted = wanted;
    interrupted.out += "-interrupted";
    // A run that is killed after step 13 leaves the checkpoint of step 8 and the log up to there.
    class Killed {};
    interrupted.after_step = [](int64_t step) {
      if (step == 13) throw Killed();
    };
    EXPECT_THROW(train_naga(interrupted), Killed);
    interrupted.after_step = nullptr;
    interrupted.resume = true;
    EXPECT_EQ(train_naga(interrupted).losses.size(), straight.size() - 8);
    const auto pieced = logged_losses(interrupted.out);
    if (device.is_cpu()) {
      EXPECT_THAT(pieced, testing::Pointwise(testing::DoubleNear(1e-3), straight));
    } else {
      EXPECT_EQ(pieced, straight);
    }
  }
}

TEST_F(Training, RefusesWhatMakesNoSense) {
  auto wanted = options(torch::kCPU, "out");
  wanted.batch_size = 0;
  EXPECT_THAT([&] { train_naga(wanted); },
              ThrowsMessage<Error>(HasSubstr("--batch-size must be at least 1, got 0")));
  wanted = options(torch::kCPU, "out");
  wanted.resume = true;
  EXPECT_THAT([&] { train_naga(wanted); }, ThrowsMessage<Error>(HasSubstr("to resume from")));
  wanted = options(torch::kCPU, "out");
  fs::create_directories(folder() / "empty");
  wanted.records = {folder() / "empty"};
  EXPECT_THROW(train_naga(wanted), Error);
}

TEST_F(Training, NeverWritesOverARun) {
  const auto wanted = options(torch::kCPU, "out");
  train_naga(wanted);
  const std::string before = read_file(wanted.out / "log.jsonl");
  EXPECT_THAT([&] { train_naga(wanted); }, ThrowsMessage<Error>(HasSubstr("holds a run already")));
  EXPECT_EQ(read_file(wanted.out / "log.jsonl"), before);
}

}  // namespace ippatsu::train
