#include "hlo/program.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "hlo/builder.h"

namespace ippatsu::hlo {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Direction kLess = Direction::Lt;

Value f32(Graph& graph, Dims dims, int64_t index = 0) {
  return graph.parameter({DType::F32, std::move(dims)}, index);
}

// A step of gradient descent on a sum: x - rate * (x < 0 ? 1 : x)
Value step(Graph& graph, double rate, double constant = 1) {
  const Value x = f32(graph, {2, 3});
  const Value slope = select(compare(kLess, x, fill_like(x, 0)), fill_like(x, constant), x);
  return x - broadcast_to(graph.scalar(DType::F32, {.floating = rate}), x.dims()) * slope;
}

}  // namespace

TEST(Program, ReadsAsStableHlo) {
  Graph graph;
  const Value x = f32(graph, {2, 3});
  Value total;
  {
    const Scope scope(graph, "aten::sum");
    total = reduce_sum(x, {1});
  }
  const Value scaled =
      total * broadcast_to(graph.scalar(DType::F32, {.floating = 0.5}), total.dims());
  EXPECT_EQ(Program({scaled, x + x}).text(std::vector<int>{1}),
            R"(module @ippatsu {
  func.func public @main(%0: tensor<2x3xf32> {tf.aliasing_output = 1 : i32}, %f32s: tensor<1xf32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
    %s3 = "stablehlo.slice"(%f32s) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<1xf32>) -> tensor<1xf32>
    %3 = "stablehlo.reshape"(%s3) : (tensor<1xf32>) -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> (tensor<f32>) loc("aten::sum")
    %2 = "stablehlo.reduce"(%0, %1) ({
  ^bb0(%r0: tensor<f32>, %r1: tensor<f32>):
    %r2 = "stablehlo.add"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    "stablehlo.return"(%r2) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>) loc("aten::sum")
    %4 = "stablehlo.broadcast_in_dim"(%3) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> (tensor<2xf32>)
    %5 = "stablehlo.multiply"(%2, %4) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
    %6 = "stablehlo.add"(%0, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>)
    "func.return"(%5, %6) : (tensor<2xf32>, tensor<2x3xf32>) -> ()
  }
}
)");
}

TEST(Program, ConstantsAreSpelledAsMlirReadsThem) {
  struct Case {
    DType dtype;
    double value;
    const char* text;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Case& c :
       {Case{DType::F32, 1, "dense<1.0> : tensor<f32>"}, Case{DType::F32, 1e-5, "dense<1.e-05>"},
        Case{DType::F64, 0.1, "dense<0.1>"}, Case{DType::F32, -infinity, "dense<0xFF800000>"},
        Case{DType::BF16, infinity, "dense<0x7F80>"},
        Case{DType::F16, std::nan(""), "dense<0x7E00>"},
        Case{DType::I32, -7, "dense<-7> : tensor<i32>"},
        Case{DType::Pred, 1, "dense<true> : tensor<i1>"},
        Case{DType::C64, 2, "dense<(2.0, 0.0)> : tensor<complex<f32>>"}}) {
    Graph graph;
    EXPECT_THAT(Program({constant(graph, {c.dtype, {}}, c.value)}).text(), HasSubstr(c.text));
  }
}

TEST(Program, TheFingerprintIsOfTheStructureAndNotOfTheNumbers) {
  const auto fingerprint = [](double rate, double constant) {
    Graph graph;
    return Program({step(graph, rate, constant)}).fingerprint();
  };
  EXPECT_EQ(fingerprint(0.1, 1), fingerprint(0.2, 1)) << "a scalar is an input";
  EXPECT_NE(fingerprint(0.1, 1), fingerprint(0.1, 2)) << "a constant is part of the program";
}

TEST(Program, OperandsShapesAndRootsTellProgramsApart) {
  std::vector<Fingerprint> seen;
  const auto add = [&](auto make) {
    Graph graph;
    seen.push_back(Program(make(graph)).fingerprint());
  };
  add([](Graph& g) {
    const Value x = f32(g, {2}), y = f32(g, {2}, 1);
    return Values{x - y};
  });
  add([](Graph& g) {
    const Value x = f32(g, {2}), y = f32(g, {2}, 1);
    return Values{y - x};
  });
  add([](Graph& g) {
    const Value x = f32(g, {2});
    return Values{x - x};
  });
  add([](Graph& g) {
    const Value x = f32(g, {3}), y = f32(g, {3}, 1);
    return Values{x - y};
  });
  add([](Graph& g) {
    const Value x = f32(g, {2}), y = f32(g, {2}, 1);
    return Values{x - y, x};
  });
  add([](Graph& g) { return Values{transpose(f32(g, {2, 2}), {1, 0})}; });
  add([](Graph& g) { return Values{reverse(f32(g, {2, 2}), {0})}; });
  add([](Graph& g) { return Values{reverse(f32(g, {2, 2}), {1})}; });
  add([](Graph& g) { return Values{reduce_sum(f32(g, {2, 2}), {0})}; });
  add([](Graph& g) {
    return Values{
        reduce(Combiner::Multiply, f32(g, {2, 2}), constant(g, {DType::F32, {}}, 0), {0})};
  });
  for (size_t i = 0; i < seen.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(seen[i], seen[j]) << i << " and " << j;
  }
}

TEST(Program, HoldsOnlyWhatItsRootsNeed) {
  Graph graph;
  const Value dropped = f32(graph, {5}, 0) * 3;
  const Value x = f32(graph, {2}, 1);
  (void)graph.scalar(DType::F32, {.floating = 9});
  const Program program({x * 2});
  EXPECT_EQ(program.size(), 2);  // the constant and the product
  ASSERT_EQ(program.parameters().size(), 1U);
  EXPECT_EQ(program.parameters()[0]->parameter, 1);
  EXPECT_TRUE(program.scalar_packs().empty());
  EXPECT_EQ(dropped.dim(0), 5);
}

TEST(Program, ScalarsTravelTogetherByType) {
  Graph graph;
  const Value a = graph.scalar(DType::F32, {.floating = 1.5}),
              b = graph.scalar(DType::I64, {.integer = -2});
  const Value c = graph.scalar(DType::F32, {.floating = 2.5});
  const Program program({a * c, b});
  ASSERT_EQ(program.scalar_packs().size(), 2U);
  std::vector<DType> types;
  for (const ScalarPack& pack : program.scalar_packs()) types.push_back(pack.dtype);
  EXPECT_THAT(types, ElementsAre(DType::I64, DType::F32));
  std::vector<float> floats(2);
  const auto bytes = program.scalar_packs()[1].bytes();
  ASSERT_EQ(bytes.size(), 8U);
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  EXPECT_THAT(floats, ElementsAre(1.5F, 2.5F));
}

TEST(Builder, MistakesAreNamed) {
  Graph graph;
  const Value x = f32(graph, {2, 3}), y = f32(graph, {4, 5}, 1),
              i = graph.parameter({DType::I32, {2, 3}}, 2);
  EXPECT_THAT([&] { x + i; },
              ThrowsMessage<Error>(HasSubstr("operands of one type, got f32[2,3] and i32[2,3]")));
  EXPECT_THAT([&] { (void)x.dim(2); },
              ThrowsMessage<Error>(HasSubstr("dim 2 is out of range for f32[2,3]")));
  EXPECT_THAT([&] { (void)x.dim(-1); }, ThrowsMessage<Error>(HasSubstr("dim -1 is out of range")));
  EXPECT_THAT([&] { broadcast_to(x, {2, 4}); }, ThrowsMessage<Error>(HasSubstr("3 against 4")));
  EXPECT_THAT([&] { reshape(x, {7}); },
              ThrowsMessage<Error>(HasSubstr("f32[2,3] cannot be reshaped to [7]")));
  EXPECT_THAT([&] { slice_dim(x, 1, 1, 9); },
              ThrowsMessage<Error>(HasSubstr("[1:9:1] does not fit dim 1")));
  EXPECT_THAT([&] { reduce_sum(x, {2}); },
              ThrowsMessage<Error>(HasSubstr("dim 2 is out of range")));
  EXPECT_THAT([&] { concatenate({x, y}, 0); }, ThrowsMessage<Error>(HasSubstr("agree elsewhere")));
  EXPECT_THAT([&] { dot_general(x, y, {.lhs_contracting = {1}, .rhs_contracting = {0}}); },
              ThrowsMessage<Error>(HasSubstr("cannot be multiplied: 3 against 4")));
}

TEST(Opcode, EveryOneHasAName) {
  for (int i = 0; i < kOpcodes; ++i) EXPECT_FALSE(name(static_cast<Opcode>(i)).empty()) << i;
}

}  // namespace ippatsu::hlo
