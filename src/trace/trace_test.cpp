#include "trace/trace.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "trace/metrics.h"

namespace ippatsu::trace {

namespace {

using hlo::Dims;
using hlo::DType;
using hlo::Value;
using testing::Each;
using testing::ElementsAre;

class TraceTest : public testing::Test {
 protected:
  TraceTest() { metrics_log().reset(); }

  static std::shared_ptr<const pjrt::Client> client() {
    static const auto client = pjrt::Client::create(pjrt::Plugin::load("cpu"));
    return client;
  }

  void put(Cell& cell, const std::vector<float>& values) {
    trace.upload(cell, {DType::F32, {cell.elements()}}, std::as_bytes(std::span(values)));
  }

  std::vector<float> get(Cell& cell) {
    std::vector<float> values(static_cast<size_t>(cell.elements()));
    const Dims sizes{cell.elements()}, strides{1};
    trace.download(cell, {sizes, strides}, DType::F32, std::as_writable_bytes(std::span(values)));
    return values;
  }

  // cell := change(cell), recorded
  template <typename Change>
  void update(Cell& cell, Change change) {
    const Dims sizes{cell.elements()}, strides{1};
    const auto lock = trace.lock();
    trace.write(cell, {sizes, strides}, change(trace.read(cell, {sizes, strides}, DType::F32)));
  }

  static int64_t compiles() { return metrics_log().snapshot().compiles; }
  static int64_t executions() { return metrics_log().snapshot().executions; }

  Trace trace{client(), client()->devices()[0]};
};

}  // namespace

TEST_F(TraceTest, ACellThatNobodyWroteToReadsAsZeros) {
  Cell cell(trace, DType::F32, 3);
  EXPECT_THAT(get(cell), ElementsAre(0, 0, 0));
}

TEST_F(TraceTest, RecordsUntilAReadAndThenRunsOneProgramForAllCells) {
  Cell a(trace, DType::F32, 2), b(trace, DType::F32, 2);
  put(a, {1, 2});
  put(b, {3, 4});
  update(a, [](Value x) { return x + 1; });
  update(b, [](Value x) { return x * 2; });
  EXPECT_EQ(executions(), 0);
  EXPECT_THAT(get(a), ElementsAre(2, 3));
  EXPECT_EQ(executions(), 1);
  EXPECT_THAT(get(b), ElementsAre(6, 8));
  EXPECT_EQ(executions(), 1);
}

TEST_F(TraceTest, ARepeatedStepCompilesOnceWhateverItsScalarsAre) {
  Cell x(trace, DType::F32, 4);
  put(x, {0, 0, 0, 0});
  for (int step = 1; step <= 5; ++step) {
    update(x, [&](Value value) {
      const Value scalar = trace.graph().scalar(DType::F32, {.floating = 0.1 * step});
      return value + hlo::broadcast_to(scalar, value.dims());
    });
    trace.sync();
  }
  EXPECT_EQ(compiles(), 1);
  EXPECT_EQ(executions(), 5);
  EXPECT_THAT(get(x), Each(testing::FloatEq(1.5F)));
}

TEST_F(TraceTest, AnotherShapeOrAnotherConstantIsAnotherProgram) {
  Cell x(trace, DType::F32, 4), y(trace, DType::F32, 5);
  put(x, {1, 1, 1, 1});
  put(y, {1, 1, 1, 1, 1});
  for (Cell* cell : {&x, &y}) {
    update(*cell, [](Value value) { return value * 3; });
    trace.sync();
  }
  EXPECT_EQ(compiles(), 2);
  update(x, [](Value value) { return value * 4; });
  trace.sync();
  EXPECT_EQ(compiles(), 3);
}

TEST_F(TraceTest, ValuesThatNobodyHoldsAreNotComputed) {
  Cell kept(trace, DType::F32, 1);
  put(kept, {1});
  {
    Cell dropped(trace, DType::F32, 1);
    update(dropped, [](Value value) { return value + 1; });
  }
  update(kept, [](Value value) { return value + 1; });
  trace.sync();
  update(kept, [](Value value) { return value + 1; });
  trace.sync();
  EXPECT_EQ(compiles(), 1) << "what was dropped must not be part of the program";
  EXPECT_THAT(get(kept), ElementsAre(3));
}

TEST_F(TraceTest, ACopySharesTheBufferAndSurvivesAnUpdateOfTheOther) {
  Cell a(trace, DType::F32, 2), b(trace, DType::F32, 2);
  put(a, {1, 2});
  {
    const Dims sizes{2}, strides{1};
    const auto lock = trace.lock();
    trace.write(b, {sizes, strides}, trace.read(a, {sizes, strides}, DType::F32));
  }
  trace.sync();
  EXPECT_EQ(executions(), 0) << "a copy needs no program";
  update(a, [](Value x) { return x + 1; });
  trace.sync();
  EXPECT_THAT(get(a), ElementsAre(2, 3));
  EXPECT_THAT(get(b), ElementsAre(1, 2));
}

TEST_F(TraceTest, ResizeKeepsWhatBothSizesHave) {
  Cell x(trace, DType::F32, 3);
  put(x, {1, 2, 3});
  trace.resize(x, 5 * sizeof(float));
  EXPECT_THAT(get(x), ElementsAre(1, 2, 3, 0, 0));
  trace.resize(x, 2 * sizeof(float));
  EXPECT_THAT(get(x), ElementsAre(1, 2));
}

TEST_F(TraceTest, AViewOfALargeArrayIsReadWithoutTheRest) {
  constexpr int64_t kRows = 1000, kColumns = 100;
  Cell x(trace, DType::F32, kRows * kColumns);
  std::vector<float> values(kRows * kColumns);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  put(x, values);
  const Dims sizes{3}, strides{kColumns};
  std::vector<float> column(3);
  trace.download(x, {sizes, strides, 7}, DType::F32, std::as_writable_bytes(std::span(column)));
  EXPECT_THAT(column, ElementsAre(7, 107, 207));
  EXPECT_LT(metrics_log().snapshot().bytes_to_host, 100);
}

TEST_F(TraceTest, AFailedCompilationSaysWhyAndLosesNothing) {
  Cell x(trace, DType::F32, 2), bad(trace, DType::F32, 2);
  put(x, {1, 2});
  {
    const Dims sizes{2}, strides{1};
    const auto lock = trace.lock();
    const Value value = trace.read(x, {sizes, strides}, DType::F32);
    // The types of this operation do not fit, which only the compiler finds.
    trace.write(bad, {sizes, strides}, trace.graph().add(hlo::Opcode::Not, value.type(), {value}));
  }
  EXPECT_THROW(trace.sync(), Error);
  EXPECT_THROW(trace.sync(), Error);
  put(bad, {0, 0});
  EXPECT_THAT(get(x), ElementsAre(1, 2));
}

TEST_F(TraceTest, ThreadsMayRecordAndReadAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Cell mine(trace, DType::F32, 2);
      put(mine, {static_cast<float>(t), 0});
      for (int i = 0; i < 20; ++i) update(mine, [](Value x) { return x + 1; });
      EXPECT_THAT(get(mine), ElementsAre(static_cast<float>(t) + 20, 20));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Bits as the host sees them, for a view of each type on a memory of floats, and the other way.
TEST_F(TraceTest, MemoryCanBeSeenAsAnyType) {
  const std::vector<float> floats{1, -2.5F, 0, 3e7F, 0.25F, -0.0F, 8, 9};
  const auto memory = std::as_bytes(std::span(floats));
  for (int from = 0; from < hlo::kDTypes; ++from) {
    for (int to = 0; to < hlo::kDTypes; ++to) {
      const auto written = static_cast<DType>(from), read = static_cast<DType>(to);
      if (written == DType::Pred || read == DType::Pred) continue;
      if (written != DType::F32 && read != DType::F32) continue;
      SCOPED_TRACE(fmt::format("{} as {}", hlo::name(written), hlo::name(read)));
      const int64_t bytes = static_cast<int64_t>(memory.size());
      Cell cell(trace, written, bytes / hlo::byte_width(written));
      trace.upload(cell, {written, {cell.elements()}}, memory);
      const Dims sizes{bytes / hlo::byte_width(read)}, strides{1};
      Cell copy(trace, read, sizes[0]);
      {
        const auto lock = trace.lock();
        trace.write(copy, {sizes, strides}, trace.read(cell, {sizes, strides}, read));
      }
      std::vector<std::byte> seen(memory.size());
      trace.download(copy, {sizes, strides}, read, seen);
      EXPECT_TRUE(std::ranges::equal(seen, memory));
    }
  }
}

}  // namespace ippatsu::trace
