// What the operations of hlo/builder.h compute, on every CPU plugin: small programs whose results
// are known.

#include <cmath>
#include <map>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hlo/builder.h"
#include "hlo/program.h"
#include "pjrt/client.h"
#include "pjrt/test_plugins.h"

namespace ippatsu::pjrt {

namespace {

using hlo::Combiner;
using hlo::Dims;
using hlo::Direction;
using hlo::DType;
using hlo::Value;
using hlo::Values;
using Arguments = std::span<const Value>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::shared_ptr<Client> client_of(const std::filesystem::path& plugin) {
  static std::map<std::filesystem::path, std::shared_ptr<Client>> clients;
  std::shared_ptr<Client>& client = clients[plugin];
  if (!client) client = Client::create(Plugin::load(plugin.string()));
  return client;
}

class OperationsTest : public testing::TestWithParam<std::filesystem::path> {
 protected:
  // An input: a constant might be computed by the compiler instead of by the device.
  Value input(DType dtype, Dims dims, const std::vector<double>& numbers) {
    const hlo::Type type{DType::F64, std::move(dims)};
    buffers_.push_back(client_->upload(type, std::as_bytes(std::span(numbers)), device_));
    const Value x = graph_.parameter(type, static_cast<int64_t>(buffers_.size()) - 1);
    return convert(x, dtype);
  }
  Value f32(Dims dims, const std::vector<double>& numbers) {
    return input(DType::F32, std::move(dims), numbers);
  }
  Value f32(double number) { return f32({}, {number}); }

  // The numbers of a value; of complex ones the real parts, then the imaginary ones.
  std::vector<double> numbers(Value value) {
    if (is_complex(value.dtype())) {
      std::vector<double> parts = numbers(real(value)), imaginary = numbers(imag(value));
      parts.insert(parts.end(), imaginary.begin(), imaginary.end());
      return parts;
    }
    const hlo::Program program({convert(value, DType::F64)});
    std::vector<const Buffer*> arguments;
    for (const hlo::Node* parameter : program.parameters())
      arguments.push_back(&buffers_[static_cast<size_t>(parameter->parameter)]);
    const auto results = client_->compile(program.text())->execute(arguments);
    std::vector<double> numbers(static_cast<size_t>(value.type().elements()));
    results[0].download(std::as_writable_bytes(std::span(numbers))).wait();
    return numbers;
  }

  void expect(Value value, const Dims& dims, const std::vector<double>& wanted,
              double tolerance = 1e-5) {
    EXPECT_EQ(value.dims(), dims);
    EXPECT_THAT(numbers(value),
                testing::Pointwise(testing::NanSensitiveDoubleNear(tolerance), wanted));
  }

  hlo::Graph graph_;

 private:
  const std::shared_ptr<Client> client_ = client_of(GetParam());
  const Device& device_ = client_->devices()[0];
  std::vector<Buffer> buffers_;
};

INSTANTIATE_TEST_SUITE_P(Cpu, OperationsTest, testing::ValuesIn(cpu_plugins()), plugin_label);

// The values 1, 2, ... count.
std::vector<double> counting(int count) {
  std::vector<double> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return numbers;
}

// Of (value, position) so far and (value, position) next, the one with the greater value.
Values greater_with_position(Arguments a) {
  const Value keep = compare(Direction::Ge, a[0], a[2]);
  return {select(keep, a[0], a[2]), select(keep, a[1], a[3])};
}

Value transposed(Value matrix) { return hlo::transpose(matrix, {1, 0}); }

Value product(Value x, Value y) {
  return dot_general(x, y, {.lhs_contracting = {1}, .rhs_contracting = {0}});
}

const std::vector<double> kPositive = {4, 2, 1, 2, 5, 3, 1, 3, 6};

}  // namespace

TEST_P(OperationsTest, ListsOfConstants) {
  const std::vector<double> numbers = {0.5, -2, kInfinity, 1e-3};
  expect(constant_list(graph_, {DType::F32, {2, 2}}, std::span<const double>(numbers)), {2, 2},
         numbers);
  const std::vector<int64_t> indices = {3, -1, 1 << 30};
  expect(constant_list(graph_, {DType::I64, {3}}, std::span<const int64_t>(indices)), {3},
         {3, -1, 1 << 30});
  const std::vector<double> flags = {1, 0};
  expect(constant_list(graph_, {DType::Pred, {2}}, std::span<const double>(flags)), {2}, flags);
  expect(constant_list(graph_, {DType::F32, {0}}, std::span<const double>()), {0}, {});
}

TEST_P(OperationsTest, ComplexNumbersAndTheirParts) {
  const Value z = complex(f32({2}, {1, 2}), f32({2}, {3, -4}));
  expect(z * z, {2}, {-8, -12, 6, -16});
  expect(real(f32({1}, {7})), {1}, {7});
  expect(imag(f32({1}, {7})), {1}, {0});
}

TEST_P(OperationsTest, SpecialFunctions) {
  constexpr double kClose = 1e-12;
  const Value x = input(DType::F64, {3}, {0.3, 1, 2.5}), n = input(DType::F64, {3}, {1, 2, 3});
  expect(bessel_i1e(x), {3}, {0.11237756063983881, 0.20791041534970850, 0.20658464953126657},
         kClose);
  expect(digamma(x), {3}, {-3.5025242222001332, -0.57721566490153286, 0.70315664064524319}, kClose);
  expect(lgamma(x), {3}, {1.0957979948180756, 0, 0.28468287047291918}, kClose);
  expect(polygamma(n, x), {3}, {12.245364546107728, -2.4041138063191885, 0.22390584881725206},
         kClose);
  expect(zeta(n, x), {3}, {kInfinity, 1.6449340668482264, 0.11810202582086371}, kClose);
}

TEST_P(OperationsTest, ConvolutionIsACorrelation) {
  const Value x = f32({1, 1, 5}, counting(5)), kernel = f32({1, 1, 3}, {1, 10, 100});
  expect(convolution(x, kernel), {1, 1, 3}, {321, 432, 543});
  expect(convolution(x, kernel, {.window = {.strides = {2}, .low = {1}, .high = {1}}}), {1, 1, 3},
         {210, 432, 54});
  expect(convolution(x, kernel, {.window = {.low = {1}, .high = {-1}}}), {1, 1, 3},
         {210, 321, 432});
  expect(convolution(x, kernel, {.window = {.window_dilation = {2}}}), {1, 1, 1}, {531});
  expect(convolution(x, kernel, {.window = {.base_dilation = {2}}}), {1, 1, 7},
         {201, 20, 302, 30, 403, 40, 504});
  expect(convolution(x, kernel, {.reversal = {true}}), {1, 1, 3}, {123, 234, 345});
}

TEST_P(OperationsTest, ConvolutionsInGroups) {
  const Value x = f32({2, 2, 2}, counting(8));
  expect(convolution(x, f32({2, 1, 1}, {1, 10}), {.feature_groups = 2}), {2, 2, 2},
         {1, 2, 30, 40, 5, 6, 70, 80});
  expect(convolution(x, f32({2, 2, 1}, {1, 1, 1, 1}), {.batch_groups = 2}), {1, 2, 2},
         {4, 6, 12, 14});
}

TEST_P(OperationsTest, ConvolutionsOfOtherDims) {
  const Value x = f32({1, 2, 3, 1}, counting(6)), kernel = f32({2, 2, 1, 1}, {1, 10, 100, 1000});
  const hlo::Convolution last{.input = {.batch = 0, .feature = 3},
                              .kernel = {.output = 3, .input = 2},
                              .output = {.batch = 3, .feature = 0}};
  expect(convolution(x, kernel, last), {1, 1, 2, 1}, {5421, 6532});
  expect(convolution(f32({1, 3}, {1, 2, 3}), f32({2, 3}, {1, 1, 1, 1, 0, 0})), {1, 2}, {6, 1});
}

TEST_P(OperationsTest, WindowsAreReduced) {
  const Value x = f32({3, 3}, kPositive);
  expect(reduce_window(Combiner::Add, x, f32(0), {.sizes = {2, 2}}), {2, 2}, {13, 11, 11, 17});
  expect(reduce_window(Combiner::Maximum, x, f32(-kInfinity),
                       {.sizes = {2, 1}, .strides = {2, 1}, .low = {1, 0}}),
         {2, 3}, {4, 2, 1, 2, 5, 6});
  expect(reduce_window(Combiner::Add, x, f32(0), {.sizes = {1, 2}, .window_dilation = {1, 2}}),
         {3, 1}, {5, 5, 7});
  expect(reduce_window(Combiner::Add, x, f32(0),
                       {.sizes = {1, 3}, .low = {0, 1}, .high = {-2, 0}, .base_dilation = {1, 2}}),
         {1, 4}, {4, 6, 2, 3});
}

TEST_P(OperationsTest, WindowsOfSeveralOperands) {
  const Value x = f32({4}, {3, 1, 7, 5});
  const Value positions = iota(graph_, {DType::I64, {4}}, 0);
  const Values best =
      reduce_window({x, positions}, {f32(-kInfinity), constant(graph_, {DType::I64, {}}, -1)},
                    {.sizes = {2}}, greater_with_position);
  expect(best[0], {3}, {3, 7, 7});
  expect(best[1], {3}, {0, 2, 2});
}

TEST_P(OperationsTest, GradientsGoWhereTheWindowChose) {
  const Value x = f32({3, 3}, kPositive), source = f32({2, 2}, {1, 10, 100, 1000});
  const auto greater = [](Arguments a) -> Values { return {compare(Direction::Ge, a[0], a[1])}; };
  expect(select_and_scatter(x, source, f32(0), {.sizes = {2, 2}}, greater, Combiner::Add), {3, 3},
         {0, 0, 0, 0, 111, 0, 0, 0, 1000});
}

TEST_P(OperationsTest, SeveralOperandsAreReduced) {
  const Value x = f32({2, 3}, {1, 9, 3, 8, 2, 8});
  const Values best = hlo::reduce({x, iota(graph_, {DType::I64, {2, 3}}, 1)},
                                  {f32(-kInfinity), constant(graph_, {DType::I64, {}}, -1)}, {1},
                                  greater_with_position);
  expect(best[0], {2}, {9, 8});
}

TEST_P(OperationsTest, SortsByTwoKeys) {
  const Value first = f32({4}, {2, 1, 2, 1}), second = f32({4}, {5, 6, 4, 7});
  const Values sorted = hlo::sort({first, second}, 0, [](Arguments a) -> Values {
    const Value tie = compare(Direction::Eq, a[0], a[1]);
    return {compare(Direction::Lt, a[0], a[1]) | (tie & compare(Direction::Gt, a[2], a[3]))};
  });
  expect(sorted[0], {4}, {1, 1, 2, 2});
  expect(sorted[1], {4}, {7, 6, 5, 4});
}

TEST_P(OperationsTest, TheGreatest) {
  const auto [value, index] = top_k(f32({2, 4}, {3, 1, 3, std::nan(""), 5, 7, 6, 8}), 3);
  expect(value, {2, 3}, {std::nan(""), 3, 3, 8, 7, 6});
  expect(index, {2, 3}, {3, 0, 2, 3, 1, 2});
  expect(top_k(f32({2}, {3, 1}), 0).value, {0}, {});
}

TEST_P(OperationsTest, LoopsOfTensors) {
  const Value limit = f32({}, {50});
  const Values results = hlo::while_loop(
      {f32({2}, {1, 2}), limit},
      [](Arguments a) -> Values {
        const Value zero = constant(a[0].graph(), {DType::F32, {}}, 0);
        return {compare(Direction::Lt,
                        hlo::reduce({a[0]}, {zero}, {0},
                                    [](Arguments xy) -> Values { return {xy[0] + xy[1]}; })[0],
                        a[1])};
      },
      [](Arguments a) -> Values {
        return {a[0] * 2, a[1]};
      });
  expect(results[0], {2}, {32, 64});
}

TEST_P(OperationsTest, LoopsThatCount) {
  const Values results =
      hlo::repeat(5, {f32({2}, {1, 2})}, [](Value index, Arguments carried) -> Values {
        return {carried[0] + broadcast_to(convert(index, DType::F32), {2})};
      });
  expect(results[0], {2}, {11, 12});
  expect(hlo::repeat(0, {f32(3)},
                     [](Value, Arguments carried) -> Values { return {carried[0] * 2}; })[0],
         {}, {3});
}

TEST_P(OperationsTest, LoopsInLoops) {
  const auto twice = [](Value, Arguments carried) -> Values { return {carried[0] * 2}; };
  const auto inner = [&](Value, Arguments carried) { return hlo::repeat(2, {carried[0]}, twice); };
  expect(hlo::repeat(3, {f32(1)}, inner)[0], {}, {64});
}

TEST_P(OperationsTest, CholeskyFactors) {
  const Value a = f32({3, 3}, kPositive);
  const Value below = cholesky(a, true), above = cholesky(a, false);
  expect(product(below, transposed(below)), {3, 3}, kPositive);
  expect(below - transposed(above), {3, 3}, std::vector<double>(9, 0));
}

TEST_P(OperationsTest, TriangularSystems) {
  using enum hlo::TriangularSolve::Transpose;
  const Value a = f32({2, 2}, {2, 9, 4, 5}), b = f32({2, 1}, {2, 14});
  expect(triangular_solve(a, b), {2, 1}, {1, 2});
  expect(triangular_solve(a, b, {.unit_diagonal = true}), {2, 1}, {2, 6});
  expect(triangular_solve(a, b, {.lower = false}), {2, 1}, {-11.6, 2.8});
  expect(triangular_solve(a, b, {.transpose = Transpose}), {2, 1}, {-4.6, 2.8});
  expect(triangular_solve(a, f32({1, 2}, {8, 10}), {.left_side = false}), {1, 2}, {0, 2});
  const Value i = complex(f32({1, 1}, {0}), f32({1, 1}, {1}));
  expect(triangular_solve(i, i, {.transpose = Adjoint}), {1, 1}, {-1, 0});
}

TEST_P(OperationsTest, QrFactors) {
  for (const DType dtype : {DType::F32, DType::F64, DType::C64}) {
    const std::vector<double> numbers = {1, 2, 3, 4, 5, 7};
    const Value a = input(dtype, {3, 2}, numbers);
    const auto [reflectors, factors] = qr(a);
    const Value q = householder_product(reflectors, factors);
    const Value inverse_r =
        triangular_solve(slice_dim(reflectors, 0, 0, 2), q, {.left_side = false, .lower = false});
    expect(real(product(
               q, slice_dim(reflectors, 0, 0, 2) * convert(f32({2, 2}, {1, 1, 0, 1}), dtype))),
           {3, 2}, numbers);
    expect(real(product(transposed(q), q)), {2, 2}, {1, 0, 0, 1});
    EXPECT_EQ(inverse_r.dims(), (Dims{3, 2}));
  }
  EXPECT_EQ(numbers(qr(f32({2, 3}, counting(6))).factors).size(), 2u);
}

TEST_P(OperationsTest, SymmetricEigenvalues) {
  for (const DType dtype : {DType::F32, DType::F64, DType::C64, DType::C128}) {
    const bool is_double = real_part(dtype) == DType::F64;
    const auto [values, vectors] = eigh(input(dtype, {3, 3}, {4, 9, 9, 2, 5, 9, 1, 3, 6}), true);
    EXPECT_EQ(values.dtype(), real_part(dtype));
    expect(values, {3}, {1.9213469, 3.7301591, 9.3484939});
    const Value scaled = vectors * convert(broadcast_to(values, {3, 3}), dtype);
    expect(real(product(scaled, transposed(vectors))), {3, 3}, kPositive, is_double ? 1e-13 : 1e-4);
  }
  expect(eigh(f32({2, 2}, {0, 2, 9, 0}), false).values, {2}, {-2, 2});
}

TEST_P(OperationsTest, FourierTransforms) {
  const Value x = f32({2, 4}, {1, 2, 3, 4, 1, 0, 0, 0});
  const Value spectrum = fft(hlo::FftKind::Rfft, x, {4});
  expect(spectrum, {2, 3}, {10, -2, -2, 1, 1, 1, 0, 2, 0, 0, 0, 0});
  expect(fft(hlo::FftKind::Irfft, spectrum, {4}), {2, 4}, {1, 2, 3, 4, 1, 0, 0, 0});
  const Value z = convert(input(DType::F64, {2, 2}, {1, 2, 3, 4}), DType::C128);
  const Value transformed = fft(hlo::FftKind::Fft, z, {2, 2});
  expect(transformed, {2, 2}, {10, -2, -4, 0, 0, 0, 0, 0});
  expect(fft(hlo::FftKind::Ifft, transformed, {2, 2}), {2, 2}, {1, 2, 3, 4, 0, 0, 0, 0});
  expect(fft(hlo::FftKind::Rfft, f32({3}, {1, 2, 3}), {3}), {2}, {6, -1.5, 0, std::sqrt(3) / 2});
}

TEST_P(OperationsTest, EmptyOperands) {
  EXPECT_EQ(numbers(fft(hlo::FftKind::Rfft, f32({0, 4}, {}), {4})).size(), 0u);
  EXPECT_EQ(numbers(cholesky(f32({0, 2, 2}, {}), true)).size(), 0u);
  EXPECT_EQ(numbers(eigh(f32({0, 0}, {}), true).values).size(), 0u);
  EXPECT_EQ(numbers(qr(f32({0, 3}, {})).reflectors).size(), 0u);
  EXPECT_EQ(numbers(top_k(f32({0, 3}, {}), 2).value).size(), 0u);
  expect(convolution(f32({1, 0, 3}, {}), f32({2, 0, 1}, {})), {1, 2, 3}, std::vector<double>(6, 0));
  expect(convolution(f32({1, 1, 2}, {1, 2}), f32({1, 1, 3}, {1, 2, 3})), {1, 1, 0}, {});
  expect(reduce_window(Combiner::Add, f32({1}, {1}), f32(0), {.sizes = {2}}), {0}, {});
}

}  // namespace ippatsu::pjrt
