#include "train/schedule.h"

#include <gtest/gtest.h>

namespace ippatsu::train {

TEST(Schedule, RisesToThePeakAndFallsToTheFloor) {
  const Schedule schedule{.peak = 1, .warmup_steps = 10, .total_steps = 110, .floor = 0.1};
  EXPECT_DOUBLE_EQ(schedule.at(1), 0.1);
  EXPECT_DOUBLE_EQ(schedule.at(10), 1);
  EXPECT_DOUBLE_EQ(schedule.at(60), 0.55);
  EXPECT_DOUBLE_EQ(schedule.at(110), 0.1);
  EXPECT_DOUBLE_EQ(schedule.at(1000), 0.1);
}

TEST(Schedule, NeedsNoWarmUp) {
  const Schedule schedule{.peak = 2, .warmup_steps = 0, .total_steps = 2, .floor = 0};
  EXPECT_DOUBLE_EQ(schedule.at(1), 1);
  EXPECT_DOUBLE_EQ(schedule.at(2), 0);
}

}  // namespace ippatsu::train
