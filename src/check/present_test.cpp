#include "check/present.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ippatsu::check {

namespace {

using testing::HasSubstr;
using testing::Not;

Report sample() {
  return {.subject = "model.pt",
          .findings = {{.kind = Kind::HostOp,
                        .what = "aten::linalg_eig runs on the host",
                        .where = "net.py:12 in forward",
                        .per_step = 2,
                        .bytes = 12'345,
                        .advice = "Say it otherwise."},
                       {.kind = Kind::DoesNotPay, .severity = Severity::Note, .what = "small"}},
          .steps = {{.programs = 2, .compiles = 2, .compile_seconds = 0.5, .operations = 80},
                    {.programs = 2, .operations = 80}},
          .compile_count = "2 in all",
          .memory =
              pjrt::MemoryPlan{.arguments = 3'000'000, .outputs = 2'000'000, .aliased = 1'000'000},
          .tolerance = 1e-3,
          .outputs = {{"output", 1e-6}, {"mask", std::nan("")}}};
}

}  // namespace

TEST(Present, AsTextItReadsFromTheVerdictDown) {
  const std::string text = to_text(sample());
  EXPECT_THAT(text,
              testing::StartsWith("model.pt: 1 trouble and 1 note\n\n"
                                  "trouble: aten::linalg_eig runs on the host\n"
                                  "  at net.py:12 in forward, 2 a step, 12.3 KB each step\n"));
  EXPECT_THAT(text, HasSubstr("  → Say it otherwise.\n"));
  EXPECT_THAT(text, HasSubstr("note: small\n"));
  EXPECT_THAT(text, HasSubstr("programs compiled: 2 in all\n"));
  EXPECT_THAT(text, HasSubstr("In all       4.0 MB\n"));
  EXPECT_THAT(text, HasSubstr("nan"));
}

TEST(Present, WhatIsNotKnownIsSaid) {
  Report report = sample();
  report.findings.clear();
  report.memory = std::nullopt;
  report.not_compared = "it is random";
  const std::string text = to_text(report);
  EXPECT_THAT(text, HasSubstr("model.pt: nothing found"));
  EXPECT_THAT(text, HasSubstr("the plugin does not say"));
  EXPECT_THAT(text, HasSubstr("Not compared: it is random"));
}

TEST(Present, AsJsonItHasAVersion) {
  const auto json = nlohmann::json::parse(to_json(sample()));
  EXPECT_EQ(json["schema"], "ippatsu.check/1");
  EXPECT_EQ(json["troubles"], 1);
  EXPECT_EQ(json["findings"][0]["kind"], "host_op");
  EXPECT_EQ(json["findings"][0]["where"], "net.py:12 in forward");
  EXPECT_EQ(json["steps"].size(), 2U);
  EXPECT_EQ(json["memory"]["arguments"], 3'000'000);
  EXPECT_TRUE(json["outputs"][0]["within_tolerance"]);
  EXPECT_TRUE(json["outputs"][1]["difference"].is_null());
}

TEST(Present, AsAPageItIsEscaped) {
  Report report = sample();
  report.subject = report.findings[0].what = report.findings[0].where = "</h3><script>\xff";
  const std::string page = to_html(report);
  EXPECT_THAT(page, HasSubstr("&lt;/h3&gt;&lt;script&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_TRUE(nlohmann::json::accept(to_json(report)));
}

}  // namespace ippatsu::check
