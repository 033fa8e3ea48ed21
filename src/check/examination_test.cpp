#include "check/examination.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu::check {

namespace {

using hlo::DType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using trace::Journal;
using trace::note;
using DifferenceKind = hlo::Difference::Kind;

constexpr Journal::Program program(int64_t operations) { return {.operations = operations}; }

Journal::Program compiled(int64_t operations, DifferenceKind kind = DifferenceKind::Operations,
                          const std::string& site = "") {
  Journal::Program program{.compiled = true, .operations = operations};
  program.why = {kind, "something differs", site};
  return program;
}

// An examination of steps, each of which notes what `step` says of it.
template <typename Step>
Report examine(int64_t steps, Step step) {
  Examination examination({.subject = "test"});
  for (int64_t i = 1; i <= steps; ++i) {
    examination.begin_step();
    step(i);
    examination.end_step();
  }
  return examination.report();
}

// The same of steps that run one program each, compiled in the first two.
template <typename Step>
Report examine_steady(int64_t steps, Step step) {
  return examine(steps, [&](int64_t i) {
    note(&Journal::programs, i <= 2 ? compiled(100) : program(100));
    step(i);
  });
}

MATCHER_P4(IsFinding, kind, severity, where, per_step, "") {
  return arg.kind == kind && arg.severity == severity && arg.where == where &&
         std::abs(arg.per_step - per_step) < 1e-9;
}

}  // namespace

TEST(Examination, OfASteadyStepFindsNothing) {
  const Report report = examine_steady(4, [](int64_t) {});
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.compile_count, "2 in all");
  EXPECT_FALSE(report.memory.has_value());
  ASSERT_EQ(report.steps.size(), 4U);
  EXPECT_EQ(report.steps[1].compiles, 1);
  EXPECT_EQ(report.steps[2].operations, 100);
}

TEST(Examination, EachPlaceThatWaitsIsOneFinding) {
  const Report report = examine_steady(3, [](int64_t) {
    for (int i = 0; i < 2; ++i) note(&Journal::host_ops, {"aten::svd", 64, "a.py:1 in f"});
    note(&Journal::host_reads, {4, "a.py:2 in f"});
    note(&Journal::host_reads, {4, "a.py:3 in f"});
    note(&Journal::size_reads, {"aten::nonzero", "a.py:4 in f"});
  });
  EXPECT_THAT(report.findings,
              ElementsAre(IsFinding(Kind::HostOp, Severity::Trouble, "a.py:1 in f", 2),
                          IsFinding(Kind::HostRead, Severity::Trouble, "a.py:2 in f", 1),
                          IsFinding(Kind::HostRead, Severity::Trouble, "a.py:3 in f", 1),
                          IsFinding(Kind::SizeRead, Severity::Trouble, "a.py:4 in f", 1)));
  EXPECT_EQ(report.findings[0].bytes, 128);
  EXPECT_THAT(report.findings[0].what, HasSubstr("aten::svd"));
}

TEST(Examination, WhatOnlyTheFirstStepDoesIsANote) {
  const Report report = examine_steady(3, [](int64_t step) {
    if (step == 1) note(&Journal::host_reads, {4, "a.py:2 in f"});
  });
  EXPECT_THAT(report.findings,
              ElementsAre(IsFinding(Kind::HostRead, Severity::Note, "a.py:2 in f", 0)));
  EXPECT_THAT(report.findings[0].what, HasSubstr("in the first step only"));
}

TEST(Examination, AReadThatIsPartOfAHostOpIsNotReportedOnceMore) {
  EXPECT_TRUE(trace::reads_are_entries());
  const trace::PartOfAnEntry host_op;
  EXPECT_FALSE(trace::reads_are_entries());
}

TEST(Examination, CompilingFromTheThirdStepOnIsTrouble) {
  const Report report = examine(4, [](int64_t) {
    note(&Journal::programs, compiled(100, DifferenceKind::Shape, "a.py:7 in f"));
  });
  EXPECT_THAT(report.findings,
              ElementsAre(IsFinding(Kind::Recompile, Severity::Trouble, "a.py:7 in f", 1)));
  EXPECT_THAT(report.findings[0].what, HasSubstr("something differs"));
  EXPECT_THAT(report.findings[0].advice, HasSubstr("Pad"));
  EXPECT_EQ(report.compile_count, "1 a step, without end");
}

TEST(Examination, CompileCountsArePredicted) {
  const auto count = [](std::vector<int> compiles) {
    return examine(std::ssize(compiles),
                   [&](int64_t step) {
                     for (int i = 0; i < compiles[static_cast<size_t>(step - 1)]; ++i)
                       note(&Journal::programs, compiled(100));
                   })
        .compile_count;
  };
  EXPECT_EQ(count({1, 1}), "at least 2");
  EXPECT_EQ(count({2, 1, 0, 0}), "3 in all");
  EXPECT_EQ(count({2, 1, 2, 2}), "2 a step, without end");
  EXPECT_EQ(count({1, 1, 0, 1}), "3 in 4 steps, and now and then one more");
}

TEST(Examination, SixtyFourBitsCountWhereADeviceWouldEmulateThem) {
  const Report report = examine_steady(2, [](int64_t) {
    note(&Journal::wide_results, {"aten::mul.Tensor", {DType::F64, {2}}, "a.py:1 in f"});
    note(&Journal::wide_results, {"aten::add.Tensor", {DType::F64, {2}}, "a.py:1 in f"});
    note(&Journal::wide_results, {"aten::mul.Tensor", {DType::F64, {2}}, "a.py:1 in f (backward)"});
    note(&Journal::wide_results, {"aten::add.Tensor", {DType::C128, {2}}, "a.py:2 in f"});
    note(&Journal::wide_results, {"aten::add_.Tensor", {DType::I64, {4096}}, "a.py:3 in f"});
    note(&Journal::wide_results, {"aten::add.Tensor", {DType::I64, {4095}}, "a.py:4 in f"});
    note(&Journal::wide_results, {"aten::argmax", {DType::I64, {9999}}, "a.py:5 in f"});
  });
  EXPECT_THAT(report.findings,
              ElementsAre(IsFinding(Kind::WideFloat, Severity::Trouble, "a.py:1 in f", 3),
                          IsFinding(Kind::WideFloat, Severity::Trouble, "a.py:2 in f", 1),
                          IsFinding(Kind::WideInteger, Severity::Note, "a.py:3 in f", 1)));
  EXPECT_EQ(report.findings[0].what, "aten::mul.Tensor, aten::add.Tensor compute in float64");
}

TEST(Examination, ProgramsThatGrowAreTooLargeOrTooSmall) {
  const auto kinds_found = [](std::vector<int64_t> operations) {
    std::vector<Kind> found;
    const Report report = examine(std::ssize(operations), [&](int64_t step) {
      note(&Journal::programs, program(operations[static_cast<size_t>(step - 1)]));
    });
    for (const Finding& finding : report.findings) found.push_back(finding.kind);
    return found;
  };
  EXPECT_THAT(kinds_found({100, 150, 200, 250}), ElementsAre(Kind::GrowingProgram));
  EXPECT_THAT(kinds_found({100, 150, 150, 150}), IsEmpty());
  EXPECT_THAT(kinds_found({100, 150, 151, 152}), IsEmpty());
  EXPECT_THAT(kinds_found({50'001, 50'001, 50'001}), ElementsAre(Kind::HugeProgram));
  EXPECT_THAT(kinds_found({3, 3, 3}), ElementsAre(Kind::DoesNotPay));
}

TEST(Examination, LargeConstantsAreNamedByTheirPlace) {
  const Report report = examine(2, [](int64_t) {
    Journal::Program large = program(100);
    large.constant_bytes = 300'000;
    large.constant_site = "a.py:9 in f";
    note(&Journal::programs, large);
  });
  EXPECT_THAT(report.findings,
              ElementsAre(IsFinding(Kind::LargeConstant, Severity::Trouble, "a.py:9 in f", 0)));
}

TEST(Examination, AStepThatLeavesTheDeviceAloneIsTrouble) {
  const Report report = examine(2, [](int64_t) {});
  EXPECT_THAT(report.findings, ElementsAre(IsFinding(Kind::NothingRan, Severity::Trouble, "", 0)));
}

TEST(Examination, OutputsBeyondTheToleranceAreTrouble) {
  Examination examination({.subject = "test", .tolerance = 1e-3});
  examination.begin_step();
  note(&Journal::programs, program(100));
  examination.end_step();
  examination.output("loss", 1e-4);
  examination.output("logits", 0.5);
  examination.output("mask", std::nan(""));
  const Report report = examination.report();
  ASSERT_EQ(report.count(Severity::Trouble), 2);
  EXPECT_THAT(report.findings[0].what, HasSubstr("logits differs"));
  EXPECT_THAT(report.findings[1].what, HasSubstr("mask differs"));
}

TEST(Examination, TheMemoryPlanIsOfTheLargestProgramOfTheLastStep) {
  const Report report = examine(2, [](int64_t) {
    Journal::Program large = program(100), small = program(10);
    large.memory = {.arguments = 7};
    small.memory = {.arguments = 9};
    note(&Journal::programs, small);
    note(&Journal::programs, large);
  });
  ASSERT_TRUE(report.memory.has_value());
  EXPECT_EQ(report.memory->arguments, 7);
}

TEST(Examination, EveryKindSaysWhatToDo) {
  for (size_t i = 0; i < kinds().size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(kinds()[i].kind), i) << "the table is in the enumeration's order";
    EXPECT_FALSE(kinds()[i].name.empty() || kinds()[i].meaning.empty() ||
                 kinds()[i].advice.empty());
  }
}

TEST(Examination, ATolerancesBelowZeroIsNone) {
  EXPECT_THROW(Examination({.tolerance = -1}), Error);
  EXPECT_THROW(Examination({.tolerance = std::nan("")}), Error);
}

}  // namespace ippatsu::check
