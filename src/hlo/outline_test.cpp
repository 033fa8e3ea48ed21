#include "hlo/outline.h"

#include <functional>

#include <gtest/gtest.h>

#include "hlo/builder.h"

namespace ippatsu::hlo {

namespace {

using Kind = Difference::Kind;
using Record = std::function<Values(Graph&)>;

Outline outline(const Record& record) {
  Graph graph;
  return Outline(Program(record(graph)));
}

Value parameter(Graph& graph, Dims dims, DType dtype = DType::F32, int64_t index = 0) {
  return graph.parameter({dtype, std::move(dims)}, index);
}

// gelu(x) * factor, as two operators would record it
Values scaled(Graph& graph, Dims dims, double factor, DType dtype = DType::F32,
              const char* second = "aten::mul @ train.py:7 in step") {
  const Value x = parameter(graph, std::move(dims), dtype);
  Value y;
  {
    const Scope scope(graph, "aten::gelu @ train.py:6 in step");
    y = x + x;
  }
  const Scope scope(graph, second);
  return {y * fill_like(y, factor)};
}

struct Pair {
  const char* what;
  Record known, now;
  Kind kind;
  const char* text;
  const char* site;
};

const Pair kPairs[] = {
    {"an input's shape",
     [](Graph& g) {
       return scaled(g, {32, 8}, 2);
     },
     [](Graph& g) {
       return scaled(g, {33, 8}, 2);
     },
     Kind::Shape, "an input of aten::gelu is f32[33,8] and was f32[32,8]: dim 0 went from 32 to 33",
     "train.py:6 in step"},
    {"an input's rank", [](Graph& g) { return scaled(g, {32}, 2); },
     [](Graph& g) {
       return scaled(g, {32, 1}, 2);
     },
     Kind::Shape, "an input of aten::gelu is f32[32,1] and was f32[32]", "train.py:6 in step"},
    {"an input's dtype", [](Graph& g) { return scaled(g, {32}, 2); },
     [](Graph& g) { return scaled(g, {32}, 2, DType::F64); }, Kind::DType,
     "an input of aten::gelu is f64[32] and was f32[32]", "train.py:6 in step"},
    {"a constant", [](Graph& g) { return scaled(g, {32}, 2); },
     [](Graph& g) { return scaled(g, {32}, 3); }, Kind::Constant,
     "a constant of aten::mul (stablehlo.constant) changed", "train.py:7 in step"},
    {"an operator's name", [](Graph& g) { return scaled(g, {32}, 2); },
     [](Graph& g) { return scaled(g, {32}, 3, DType::F32, "aten::pow @ train.py:9 in step"); },
     Kind::Operations, "aten::pow stands where the nearest known program has aten::mul",
     "train.py:9 in step"},
    {"the way an operator is recorded",
     [](Graph& g) {
       const Scope scope(g, "aten::op");
       const Value x = parameter(g, {2});
       return Values{x + x};
     },
     [](Graph& g) {
       const Scope scope(g, "aten::op");
       const Value x = parameter(g, {2});
       return Values{x * x};
     },
     Kind::Operations,
     "aten::op is recorded otherwise: stablehlo.multiply where it was stablehlo.add", ""},
    {"a result's shape",
     [](Graph& g) {
       const Scope scope(g, "aten::arange");
       return Values{iota(g, {DType::I64, {4}}, 0)};
     },
     [](Graph& g) {
       const Scope scope(g, "aten::arange");
       return Values{iota(g, {DType::I64, {5}}, 0)};
     },
     Kind::Shape, "a result of aten::arange is i64[5] and was i64[4]: dim 0 went from 4 to 5", ""},
    {"operations without a scope", [](Graph& g) { return Values{parameter(g, {2}) * 2}; },
     [](Graph& g) { return Values{parameter(g, {3}) * 2}; }, Kind::Shape,
     "an input of the program is f32[3] and was f32[2]: dim 0 went from 2 to 3", ""},
    {"more operations", [](Graph& g) { return scaled(g, {32}, 2); },
     [](Graph& g) {
       const Value y = scaled(g, {32}, 2)[0];
       return Values{y + y};
     },
     Kind::Operations, "it has 5 operations and inputs, and the nearest known program 4", ""},
    {"nothing that is recorded", [](Graph& g) { return scaled(g, {32}, 2); },
     [](Graph& g) {
       const Value y = scaled(g, {32}, 2)[0];
       return Values{y, y};
     },
     Kind::Nothing, "the same operations, with other values kept or inputs given up", ""},
};

}  // namespace

TEST(Outline, TheFirstDifferenceIsNamed) {
  for (const Pair& pair : kPairs) {
    SCOPED_TRACE(pair.what);
    const Difference difference = outline(pair.now).difference_from(outline(pair.known));
    EXPECT_EQ(difference.kind, pair.kind);
    EXPECT_EQ(difference.text, pair.text);
    EXPECT_EQ(difference.site, pair.site);
  }
}

TEST(Outline, AnInputThatWasComputedIsNamedByItsMaker) {
  const auto of_rows = [](int64_t rows) {
    Graph graph;
    const char* maker = "aten::cat @ train.py:9 in step";
    return Outline(Program(scaled(graph, {rows, 8}, 2)), std::span(&maker, 1));
  };
  const Difference difference = of_rows(5).difference_from(of_rows(4));
  EXPECT_EQ(difference.text,
            "an input of aten::gelu (train.py:6 in step), made by aten::cat, is f32[5,8] and was "
            "f32[4,8]: dim 0 went from 4 to 5");
  EXPECT_EQ(difference.site, "train.py:9 in step");
}

TEST(Outline, TheNearestProgramSharesMostFromBothEnds) {
  const Outline known = outline([](Graph& g) { return scaled(g, {32}, 2); });
  const Outline same = outline([](Graph& g) { return scaled(g, {32}, 2); });
  const Outline constant = outline([](Graph& g) { return scaled(g, {32}, 3); });
  const Outline shape = outline([](Graph& g) { return scaled(g, {33}, 2); });
  EXPECT_EQ(known.shared_with(same), 4U);
  EXPECT_EQ(known.shared_with(constant), 3U);
  EXPECT_LT(known.shared_with(shape), known.shared_with(constant));
}

TEST(Outline, AScopeMaySayWhereItIs) {
  EXPECT_EQ(op_of("aten::cat @ train.py:31 in step"), "aten::cat");
  EXPECT_EQ(site_of("aten::cat @ train.py:31 in step"), "train.py:31 in step");
  EXPECT_EQ(op_of("aten::cat"), "aten::cat");
  EXPECT_EQ(site_of("aten::cat"), "");
  EXPECT_EQ(op_of(""), "");
}

}  // namespace ippatsu::hlo
