#include "trace/compile_log.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "base/log.h"
#include "hlo/builder.h"

namespace ippatsu::trace {

namespace {

using hlo::DType;
using testing::HasSubstr;
using Kind = hlo::Difference::Kind;

std::shared_ptr<const hlo::Outline> doubled(int64_t rows, double factor = 2) {
  hlo::Graph graph;
  const hlo::Value x = graph.parameter({DType::F32, {rows, 8}}, 0);
  const hlo::Scope scope(graph, "aten::mul");
  return std::make_shared<hlo::Outline>(hlo::Program({x * factor}));
}

// What the log says while this lives.
class Listener {
 public:
  Listener() : sink_(std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)) {
    log().sinks().push_back(sink_);
    log().set_level(spdlog::level::warn);
  }
  ~Listener() {
    std::erase(log().sinks(), sink_);
    log().set_level(level_);
  }

  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  spdlog::sink_ptr sink_;
  spdlog::level::level_enum level_ = log().level();
};

size_t occurrences(const std::string& text, std::string_view word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

TEST(CompileLog, TheFirstProgramOfAPlaceIsComparedWithNone) {
  CompileLog log;
  EXPECT_THAT(log.explain(doubled(4), "a.py:1").text, HasSubstr("first"));
  EXPECT_THAT(log.explain(doubled(5), "a.py:2").text, HasSubstr("first"));
  EXPECT_EQ(log.explain(doubled(5), "a.py:1").kind, Kind::Shape);
}

TEST(CompileLog, AProgramIsComparedWithTheNearestOfItsPlace) {
  CompileLog log;
  (void)log.explain(doubled(4), "a.py:1");
  (void)log.explain(doubled(5), "a.py:1");
  const hlo::Difference why = log.explain(doubled(4, 3), "a.py:1");
  EXPECT_EQ(why.kind, Kind::Constant);
  EXPECT_EQ(why.text, "a constant of aten::mul (stablehlo.constant) changed");
}

TEST(CompileLog, FromTheLimitOnItWarnsOncePerPlaceWithAWayOut) {
  CompileLog log;
  const Listener listener;
  for (int64_t rows = 1; rows < CompileLog::limit(); ++rows)
    (void)log.explain(doubled(rows), "a.py:1 in step");
  EXPECT_EQ(occurrences(listener.text(), "has compiled"), 0U);
  for (int64_t rows = 100; rows < 110; ++rows) (void)log.explain(doubled(rows), "a.py:1 in step");
  const std::string warning = listener.text();
  EXPECT_EQ(occurrences(warning, "has compiled"), 1U);
  EXPECT_THAT(warning, HasSubstr("a.py:1 in step has compiled 64 programs, the last because an "
                                 "input of aten::mul is f32[100,8] and was f32[63,8]"));
  EXPECT_THAT(warning, HasSubstr("pad to one size, or to a few (buckets)"));
  for (int64_t rows = 1; rows <= CompileLog::limit(); ++rows)
    (void)log.explain(doubled(rows), "b.py:2 in step");
  EXPECT_EQ(occurrences(listener.text(), "has compiled"), 2U);
}

}  // namespace ippatsu::trace
