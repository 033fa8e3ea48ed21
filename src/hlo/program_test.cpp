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

TEST(Program, OperationsWithTwoRegionsAndRegionsWithin) {
  Graph graph;
  const Value x = f32(graph, {2});
  const auto sum = [](std::span<const Value> xy) -> Values { return {xy[0] + xy[1]}; };
  const auto condition = [&](std::span<const Value> args) -> Values {
    const Value zero = constant(args[0].graph(), {DType::F32, {}}, 0);
    return {compare(kLess, reduce({args[0]}, {zero}, {0}, sum)[0], zero)};
  };
  const auto body = [](std::span<const Value> args) -> Values { return {args[0] + args[0]}; };
  EXPECT_THAT(Program(while_loop({x}, condition, body)).text(),
              HasSubstr(R"(    %1 = "stablehlo.while"(%0) ({
  ^bb0(%r0: tensor<2xf32>):
    %r1 = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> (tensor<f32>)
    %r2 = "stablehlo.reduce"(%r0, %r1) ({
  ^bb0(%rr0: tensor<f32>, %rr1: tensor<f32>):
    %rr2 = "stablehlo.add"(%rr0, %rr1) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    "stablehlo.return"(%rr2) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> (tensor<f32>)
    %r3 = "stablehlo.compare"(%r2, %r1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
    "stablehlo.return"(%r3) : (tensor<i1>) -> ()
  }, {
  ^bb0(%r0: tensor<2xf32>):
    %r1 = "stablehlo.add"(%r0, %r0) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
    "stablehlo.return"(%r1) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> (tensor<2xf32>)
)"));
}

TEST(Program, AttributesAreSpelledAsStableHloReadsThem) {
  Graph graph;
  const Value x = f32(graph, {1, 1, 5}), kernel = f32(graph, {1, 1, 3}, 1);
  const Value square = f32(graph, {2, 2}, 2);
  const auto expect_text = [](Value value, const char* text) {
    EXPECT_THAT(Program({value}).text(), HasSubstr(text));
  };
  expect_text(
      convolution(x, kernel,
                  {.window = {.strides = {2}, .low = {1}, .high = {-1}}, .reversal = {true}}),
      "{window_strides = array<i64: 2>, padding = dense<[[1, -1]]> : tensor<1x2xi64>, "
      "lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = "
      "array<i1: true>, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, "
      "input_feature_dimension = 1, input_spatial_dimensions = [2], "
      "kernel_output_feature_dimension = 0, kernel_input_feature_dimension = 1, "
      "kernel_spatial_dimensions = [2], output_batch_dimension = 0, "
      "output_feature_dimension = 1, output_spatial_dimensions = [2]>, "
      "feature_group_count = 1 : i64, batch_group_count = 1 : i64}");
  expect_text(fft(FftKind::Rfft, square, {2, 2}),
              "{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 2, 2>}");
  expect_text(triangular_solve(square, square, {.unit_diagonal = true}),
              "{left_side = true, lower = true, unit_diagonal = true, transpose_a = "
              "#stablehlo<transpose NO_TRANSPOSE>}");
  expect_text(
      custom_call(graph, {.target = "a\"b", .backend_config = "c\n"}, {x}, {x.type()})[0],
      R"({call_target_name = "a\22b", api_version = 2 : i32, has_side_effect = false, backend_config = "c\0A"})");
  expect_text(constant_list(graph, {DType::I8, {2}}, std::vector<int64_t>{-1, 7}),
              "value = dense<[-1, 7]> : tensor<2xi8>");
}

TEST(Builder, MistakesInRegionsAreNamed) {
  Graph graph;
  const Value x = f32(graph, {2, 3}), zero = f32(graph, {}, 1);
  const auto outside = [&](std::span<const Value>) -> Values { return {zero}; };
  const auto mixed = [&](std::span<const Value> args) -> Values { return {args[0] + zero}; };
  const auto missing = [](std::span<const Value>) -> Values { return {Value{}}; };
  const auto none = [](std::span<const Value>) -> Values { return {}; };
  const auto same = [](std::span<const Value> args) { return Values(args.begin(), args.end()); };
  EXPECT_THAT([&] { reduce({x}, {zero}, {1}, outside); },
              ThrowsMessage<Error>(HasSubstr("a region sees its arguments only")));
  EXPECT_THAT([&] { reduce({x}, {zero}, {1}, mixed); },
              ThrowsMessage<Error>(HasSubstr("a region sees its arguments only")));
  EXPECT_THAT([&] { reduce({x}, {zero}, {1}, missing); },
              ThrowsMessage<Error>(HasSubstr("a value is missing")));
  EXPECT_THAT([&] { reduce({x}, {zero}, {1}, none); },
              ThrowsMessage<Error>(HasSubstr("gives (f32[]), got ()")));
  EXPECT_THAT([&] { reduce({x}, {x}, {1}, none); },
              ThrowsMessage<Error>(HasSubstr("wants an initial value (f32[]), got (f32[2,3])")));
  EXPECT_THAT(
      [&] {
        reduce({x, zero}, {zero, zero}, {1}, none);
      },
      ThrowsMessage<Error>(HasSubstr("operands of one shape")));
  EXPECT_THAT([&] { reduce({}, {}, {1}, none); },
              ThrowsMessage<Error>(HasSubstr("at least one operand")));
  EXPECT_THAT(
      [&] { while_loop({x}, same, same); },
      ThrowsMessage<Error>(HasSubstr("while's condition wants a function that gives (i1[])")));
  EXPECT_THAT([&] { while_loop({}, same, same); },
              ThrowsMessage<Error>(HasSubstr("at least one value")));
  EXPECT_THAT([&] { sort({x}, 2, none); },
              ThrowsMessage<Error>(HasSubstr("dim 2 is out of range")));
  EXPECT_THAT([&] { top_k(x, 4); }, ThrowsMessage<Error>(HasSubstr("wants 0 to 3, not 4")));
  EXPECT_THAT([&] { top_k(zero, 0); }, ThrowsMessage<Error>(HasSubstr("out of range")));
}

TEST(Builder, MistakesInWindowsAreNamed) {
  Graph graph;
  const Value x = f32(graph, {2, 4, 9}), kernel = f32(graph, {6, 2, 3}, 1);
  const Value zero = f32(graph, {}, 2);
  const auto expect_error = [&](const Convolution& options, const char* text) {
    EXPECT_THAT([&] { convolution(x, kernel, options); }, ThrowsMessage<Error>(HasSubstr(text)));
  };
  EXPECT_EQ(convolution(x, kernel, {.feature_groups = 2}).dims(), (Dims{2, 6, 7}));
  expect_error({}, "4 features in 1 groups and a kernel of 2 to 6 do not match");
  expect_error({.feature_groups = 0}, "got 0 and 1");
  expect_error({.feature_groups = 2, .batch_groups = 2}, "got 2 and 2");
  expect_error({.window = {.strides = {0}}, .feature_groups = 2}, "at least 1, got [0]");
  expect_error({.window = {.strides = {1, 1}}, .feature_groups = 2}, "wants 1 numbers");
  expect_error({.window = {.sizes = {4}}, .feature_groups = 2}, "does not fit the kernel");
  expect_error({.window = {.low = {int64_t{1} << 62}}, .feature_groups = 2}, "cannot pad by");
  expect_error({.window = {.low = {-20}}, .feature_groups = 2}, "leaves nothing of 9");
  expect_error({.input = {.batch = 1}, .feature_groups = 2}, "each of 3 dims");
  expect_error({.input = {.spatial = {7}}, .feature_groups = 2}, "each of 3 dims");
  expect_error({.feature_groups = 2, .reversal = {true, false}}, "flags of reversal");
  EXPECT_THAT([&] { convolution(x, zero); }, ThrowsMessage<Error>(HasSubstr("got f32[2,4,9]")));
  EXPECT_THAT([&] { reduce_window(Combiner::Add, x, zero, {}); },
              ThrowsMessage<Error>(HasSubstr("wants 3 sizes of the window, got []")));
  EXPECT_THAT(
      [&] {
        reduce_window(Combiner::Add, x, zero, {.sizes = {1, 1, 0}});
      },
      ThrowsMessage<Error>(HasSubstr("a window of at least 1")));
  EXPECT_THAT(
      [&] {
        reduce_window(Combiner::Add, x, x, {.sizes = {1, 1, 1}});
      },
      ThrowsMessage<Error>(HasSubstr("wants an initial value")));
  const auto first = [](std::span<const Value> args) -> Values { return {args[0]}; };
  EXPECT_THAT(
      [&] {
        select_and_scatter(x, x, zero, {.sizes = {1, 1, 2}}, first, Combiner::Add);
      },
      ThrowsMessage<Error>(HasSubstr("wants a source f32[2,4,8], got f32[2,4,9]")));
  EXPECT_THAT(
      [&] {
        select_and_scatter(x, x, zero, {.sizes = {1, 1, 1}}, first, Combiner::Add);
      },
      ThrowsMessage<Error>(HasSubstr("gives (i1[]), got (f32[])")));
}

TEST(Builder, MistakesInLinearAlgebraAreNamed) {
  Graph graph;
  const Value wide = f32(graph, {2, 3}), square = f32(graph, {3, 3}, 1), row = f32(graph, {3}, 2);
  const Value half = graph.parameter({DType::F16, {3, 3}}, 3);
  EXPECT_THAT([&] { cholesky(wide, true); },
              ThrowsMessage<Error>(HasSubstr("wants square matrices, got f32[2,3]")));
  EXPECT_THAT([&] { cholesky(half, true); }, ThrowsMessage<Error>(HasSubstr("got f16[3,3]")));
  EXPECT_THAT([&] { eigh(row, true); }, ThrowsMessage<Error>(HasSubstr("got f32[3]")));
  EXPECT_THAT([&] { triangular_solve(square, wide); },
              ThrowsMessage<Error>(HasSubstr("f32[3,3] and f32[2,3] do not match")));
  EXPECT_THAT([&] { householder_product(wide, row); },
              ThrowsMessage<Error>(HasSubstr("as many rows as columns")));
  EXPECT_THAT([&] { fft(FftKind::Fft, wide, {3}); },
              ThrowsMessage<Error>(HasSubstr("wants complex numbers, got f32[2,3]")));
  EXPECT_THAT([&] { fft(FftKind::Rfft, half, {3}); },
              ThrowsMessage<Error>(HasSubstr("wants f32 or f64")));
  EXPECT_THAT([&] { fft(FftKind::Rfft, wide, {4}); },
              ThrowsMessage<Error>(HasSubstr("wants last dims [4]")));
  EXPECT_THAT(
      [&] {
        fft(FftKind::Rfft, wide, {1, 2, 3});
      },
      ThrowsMessage<Error>(HasSubstr("last 1 to 3 dims")));
  EXPECT_THAT([&] { fft(FftKind::Rfft, wide, {0}); },
              ThrowsMessage<Error>(HasSubstr("at least 1")));
  EXPECT_THAT([&] { custom_call(graph, {.target = ""}, {}, {row.type()}); },
              ThrowsMessage<Error>(HasSubstr("the name of a target")));
  EXPECT_THAT([&] { complex(half, half); }, ThrowsMessage<Error>(HasSubstr("is not defined on")));
}

TEST(Builder, MistakesInListsAreNamed) {
  Graph graph;
  const auto expect_error = [&](Type type, std::vector<double> numbers, const char* text) {
    EXPECT_THAT([&] { constant_list(graph, std::move(type), numbers); },
                ThrowsMessage<Error>(HasSubstr(text)));
  };
  expect_error({DType::F32, {3}}, {1, 2}, "2 numbers do not fill f32[3]");
  expect_error({DType::I8, {1}}, {128}, "i8 cannot hold 128");
  expect_error({DType::U8, {1}}, {-1}, "ui8 cannot hold -1");
  expect_error({DType::I32, {1}}, {2.5}, "i32 cannot hold 2.5");
  expect_error({DType::I64, {1}}, {std::nan("")}, "i64 cannot hold nan");
  expect_error({DType::C64, {1}}, {1}, "real numbers");
  expect_error({DType::F32, {4097}}, std::vector<double>(4097), "at most 4096");
}

TEST(Opcode, EveryOneHasAName) {
  for (int i = 0; i < kOpcodes; ++i) EXPECT_FALSE(name(static_cast<Opcode>(i)).empty()) << i;
}

}  // namespace ippatsu::hlo
