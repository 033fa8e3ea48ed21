#include "report/run_report.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "report/samples.h"

namespace ippatsu::report {

namespace {

using testing::HasSubstr;
using testing::Not;

std::filesystem::path scratch(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

}  // namespace

TEST(RunReport, ResultJsonHasItsKeys) {
  auto result = sample_report().result;
  result.eager_loss_last = NAN;
  write_result(scratch("result.json"), result);
  const auto json = nlohmann::json::parse(read_file(scratch("result.json")));
  EXPECT_EQ(json["games"], 200);
  EXPECT_EQ(json["decisions"], 118402);
  EXPECT_EQ(json["steps"], 600);
  EXPECT_EQ(json["loss_first"], 3.6107);
  EXPECT_EQ(json["loss_last"], 1.6284);
  EXPECT_TRUE(json["eager_loss_last"].is_null());
  EXPECT_EQ(json["samples_per_second"], 812.4);
  EXPECT_EQ(json["eager_samples_per_second"], 583.9);
  EXPECT_EQ(json["ratio"], 812.4 / 583.9);
  EXPECT_EQ(json["context"]["machine"], "Intel Xeon Platinum 8481C");
}

TEST(RunReport, ThePageShowsTheRun) {
  write_run_report(scratch("report.html"), sample_report());
  const std::string page = read_file(scratch("report.html"));
  for (const char* part : {"1.39×", "3.61 → 1.63", "Training loss", "Agreement with the players",
                           "Speed over eager PyTorch", "118,402", "38cbbaf"})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST(RunReport, WhatWasNotMeasuredIsADash) {
  write_run_report(scratch("empty.html"), {});
  const std::string page = read_file(scratch("empty.html"));
  EXPECT_THAT(page, HasSubstr("<b>–</b>"));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
  EXPECT_THAT(run_summary({}), HasSubstr("(no rows)"));
}

TEST(RunReport, TheSummaryIsOneRowPerBatch) {
  const std::string summary = run_summary(sample_report());
  EXPECT_THAT(summary, HasSubstr("1,804.2"));
  EXPECT_THAT(summary, HasSubstr("ippatsu   "));
  EXPECT_EQ(std::count(summary.begin(), summary.end(), '\n'), 15 + 1 + 4);
}

}  // namespace ippatsu::report
