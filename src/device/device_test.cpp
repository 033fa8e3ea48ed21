// The device as a user of torch sees it: every behaviour is compared with the CPU's.

#include <ATen/autocast_mode.h>
#include <torch/torch.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/ippatsu.h"

namespace ippatsu {

namespace {

using testing::HasSubstr;

torch::Device ours() { return torch::Device("ippatsu"); }
torch::Tensor on_device(const torch::Tensor& host) { return host.to(ours()); }

void expect_equal(const torch::Tensor& actual, const torch::Tensor& expected) {
  const torch::Tensor host = actual.cpu();
  EXPECT_EQ(host.dtype(), expected.dtype());
  EXPECT_TRUE(torch::equal(host, expected)) << "got " << host << "\nwanted " << expected;
}

class Device : public testing::Test {
 protected:
  static void SetUpTestSuite() { initialize(); }
  void SetUp() override {
    strict(true);
    reset_metrics();
  }
};

// Does the same to a tensor on the CPU and to its copy on the device, and compares.
template <typename Change>
void expect_same(const torch::Tensor& start, Change change) {
  const torch::Tensor host = start.clone(), device = on_device(start);
  change(host);
  change(device);
  expect_equal(device, host);
}

}  // namespace

TEST_F(Device, TensorsGoThereAndComeBack) {
  for (const auto type :
       {torch::kFloat, torch::kDouble, torch::kHalf, torch::kBFloat16, torch::kInt, torch::kLong,
        torch::kShort, torch::kChar, torch::kByte, torch::kBool}) {
    const torch::Tensor host = torch::arange(6).reshape({2, 3}).to(type);
    expect_equal(on_device(host), host);
    expect_equal(on_device(host.t()), host.t());
  }
  expect_equal(on_device(torch::zeros({0, 3})), torch::zeros({0, 3}));
  expect_equal(on_device(torch::tensor(2.5)), torch::tensor(2.5));
}

TEST_F(Device, InPlaceWritesThroughViewsReachTheBase) {
  const auto square = torch::arange(16, torch::kFloat).reshape({4, 4});
  expect_same(square, [](torch::Tensor x) { x.t().select(0, 1).add_(3); });
  expect_same(square, [](torch::Tensor x) { x.view({16}).slice(0, 0, 4).mul_(2); });
  expect_same(square, [](torch::Tensor x) { x.diagonal().fill_(7); });
  expect_same(square, [](torch::Tensor x) { x.slice(1, 0, 4, 2).copy_(torch::ones({4, 2})); });
  expect_same(square, [](torch::Tensor x) { x.index({1, 2}).zero_(); });
  expect_same(square, [](torch::Tensor x) { x.unfold(0, 2, 2).select(0, 1).neg_(); });
  expect_same(square, [](torch::Tensor x) { x.transpose(0, 1).clamp_min_(5); });
}

TEST_F(Device, SplitPiecesAliasTheirBase) {
  expect_same(torch::arange(4), [](torch::Tensor x) {
    const auto pieces = x.split(2);
    x[0] = -1;
    pieces[1].add_(pieces[0]);
  });
}

TEST_F(Device, StridedWritesTouchOnlyTheirElements) {
  expect_same(torch::ones({2, 4}), [](torch::Tensor x) { x.slice(1, 0, 4, 2).fill_(2); });
  expect_same(torch::zeros({3, 3}), [](torch::Tensor x) {
    x.slice(0, 0, 2).slice(1, 0, 2).copy_(torch::ones({2, 2}, x.options()));
  });
}

TEST_F(Device, DataIsSharedByViewsButNotAfterItIsReplaced) {
  torch::Tensor x = torch::zeros({4}, ours());
  const torch::Tensor y = x.view({2, 2});
  x.set_data(x.data() + 1);
  expect_equal(y, torch::zeros({2, 2}));
  torch::Tensor z = torch::zeros({4}, ours());
  const torch::Tensor w = z.view({2, 2});
  z.data().add_(1);
  expect_equal(w, torch::ones({2, 2}));
}

TEST_F(Device, ValuesStayRightOverASync) {
  torch::Tensor t0 = torch::full({1}, 1, ours()), t1 = torch::full({1}, 2, ours());
  sync();
  const torch::Tensor t2 = t0 + t1;
  t1 += 1;
  EXPECT_EQ(t1.item<int64_t>(), 3);
  sync();
  EXPECT_EQ(t2.item<int64_t>(), 3);
  EXPECT_EQ(t1.item<int64_t>(), 3);
}

TEST_F(Device, WritingToOverlappingMemoryRaises) {
  const torch::Tensor x = torch::zeros({1, 3}, ours()).expand({2, 3});
  EXPECT_THROW(x.add_(1), c10::Error);
  EXPECT_THROW(x.copy_(torch::ones({2, 3})), c10::Error);
}

TEST_F(Device, ResizeKeepsTheElements) {
  expect_same(torch::arange(6, torch::kFloat), [](torch::Tensor x) { x.resize_({2, 2}); });
  torch::Tensor out = torch::empty({0}, ours());
  torch::add_out(out, torch::ones({3}, ours()), torch::ones({3}, ours()));
  expect_equal(out, torch::full({3}, 2.0F));
}

TEST_F(Device, ResultsThatDoNotFitTheirTargetRaise) {
  torch::Tensor whole = torch::ones({2}, torch::TensorOptions(ours()).dtype(torch::kLong));
  EXPECT_THROW(whole.add_(torch::ones({2}, ours())), c10::Error);
  EXPECT_THROW(torch::ones({2}, ours()).add_(torch::ones({3, 2}, ours())), c10::Error);
}

TEST_F(Device, ErrorsNameTheOpAndTheShapes) {
  try {
    torch::mm(torch::ones({2, 3}, ours()), torch::ones({4, 5}, ours()));
    FAIL() << "nothing was thrown";
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what_without_backtrace(),
                HasSubstr("aten::mm: f32[2,3] and f32[4,5] cannot be multiplied"));
  }
}

TEST_F(Device, TheSeedDecidesWhatIsDrawn) {
  torch::manual_seed(7);
  const torch::Tensor first = torch::rand({3}, ours()).cpu();
  torch::manual_seed(7);
  const torch::Tensor again = torch::rand({3}, ours()).cpu();
  const torch::Tensor next = torch::rand({3}, ours()).cpu();
  EXPECT_TRUE(torch::equal(first, again));
  EXPECT_FALSE(torch::equal(again, next));
}

TEST_F(Device, TheStateOfTheGeneratorCanBeKept) {
  at::Generator generator = at::globalContext().defaultGenerator(ours());
  const torch::Tensor state = generator.get_state();
  const torch::Tensor first = torch::randn({5}, ours()).cpu();
  generator.set_state(state);
  EXPECT_TRUE(torch::equal(torch::randn({5}, ours()).cpu(), first));
}

TEST_F(Device, AChangingScalarNeedsNoNewProgram) {
  torch::Tensor t = torch::ones({4}, ours());
  const torch::Tensor a = torch::ones({4}, ours()), b = torch::ones({4}, ours());
  sync();
  reset_metrics();
  for (int k = 0; k < 5; ++k) {
    t.addcdiv_(a, b, 0.1 * (k + 1));
    sync();
  }
  EXPECT_EQ(metrics().compiles, 1);
  EXPECT_EQ(metrics().host_reads, 0);
  EXPECT_NEAR(t.sum().item<double>(), 4 * 2.5, 1e-5);
}

TEST_F(Device, AnOpWithoutARowRunsOnTheHostAndIsCounted) {
  const torch::Tensor x = torch::arange(9, torch::kFloat).reshape({3, 3}) + torch::eye(3);
  EXPECT_THROW(torch::linalg_eigvals(on_device(x)), c10::Error);
  strict(false);
  EXPECT_TRUE(torch::allclose(torch::linalg_eigvals(on_device(x)).cpu(), torch::linalg_eigvals(x),
                              1e-4, 1e-5));
  EXPECT_EQ(metrics().fallbacks.size(), 1U);
  EXPECT_THAT(metrics_report(), HasSubstr("linalg"));
}

TEST_F(Device, ConvolutionsHaveTheirGradients) {
  torch::manual_seed(2);
  const torch::Tensor x = torch::randn({2, 3, 6, 6}), w = torch::randn({4, 3, 3, 3}),
                      b = torch::randn({4});
  const auto gradients = [&](torch::Device device) {
    std::vector<torch::Tensor> leaves;
    for (const torch::Tensor& leaf : {x, w, b})
      leaves.push_back(leaf.to(device).detach().requires_grad_(true));
    torch::conv2d(leaves[0], leaves[1], leaves[2], 1, 1).square().sum().backward();
    std::vector<torch::Tensor> host;
    for (const torch::Tensor& leaf : leaves) host.push_back(leaf.grad().cpu());
    return host;
  };
  const auto expected = gradients(torch::kCPU), actual = gradients(ours());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(torch::allclose(actual[i], expected[i], 1e-4, 1e-4)) << i;
}

TEST_F(Device, AMaskChoosesOnTheDeviceAndReadsHowMany) {
  const torch::Tensor x = torch::arange(6, torch::kFloat), mask = x.gt(2);
  const torch::Tensor y = on_device(x), ours_mask = on_device(mask);
  expect_equal(y.index({ours_mask}), x.index({mask}));
  EXPECT_EQ(metrics().size_reads.size(), 1U);
  y.index_put_({ours_mask}, on_device(torch::tensor({7.0F, 8.0F, 9.0F})));
  expect_equal(y, torch::tensor({0.0F, 1.0F, 2.0F, 7.0F, 8.0F, 9.0F}));
  EXPECT_EQ(metrics().size_reads.size(), 1U);
}

TEST_F(Device, AHostTensorUsedInAStepIsAnInputOfTheProgram) {
  const torch::Tensor x = torch::ones({3}, ours());
  sync();
  reset_metrics();
  for (int i = 0; i < 3; ++i) {
    const torch::Tensor index = torch::tensor({i % 3, 0});
    expect_equal(x.index({index}) + static_cast<double>(i),
                 torch::full({2}, 1.0F + static_cast<float>(i)));
  }
  EXPECT_EQ(metrics().compiles, 1);
}

TEST_F(Device, TensorsOfTheHostAreRefused) {
  const torch::Tensor x = torch::ones({2}, ours()), host = torch::ones({2});
  EXPECT_THROW(x + host, c10::Error);
  EXPECT_THROW(torch::add_out(const_cast<torch::Tensor&>(host), x, x), c10::Error);
  expect_equal(x * torch::tensor(2.0F), torch::full({2}, 2.0F));
}

TEST_F(Device, ProductsUnderAutocastAreOfTheLowerPrecision) {
  const torch::Tensor x = torch::ones({2, 2}, ours());
  at::autocast::set_autocast_enabled(at::kPrivateUse1, true);
  at::autocast::set_autocast_dtype(at::kPrivateUse1, at::kBFloat16);
  const torch::Tensor product = torch::mm(x, x), exponential = product.exp();
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kPrivateUse1, false);
  EXPECT_EQ(product.scalar_type(), torch::kBFloat16);
  EXPECT_EQ(exponential.scalar_type(), torch::kFloat);
  EXPECT_EQ(torch::mm(x, x).scalar_type(), torch::kFloat);
}

TEST_F(Device, ALongLoopIsCutIntoPrograms) {
  torch::Tensor y = torch::zeros({3}, ours()), expected = torch::zeros({3});
  for (int i = 0; i < 2000; ++i) {
    y = torch::sin(y) + 1;
    expected = torch::sin(expected) + 1;
  }
  EXPECT_TRUE(torch::allclose(y.cpu(), expected));
  EXPECT_GT(metrics().executions, 1);
  EXPECT_LT(metrics().compiles, metrics().executions);
}

TEST_F(Device, NamesOfDevicesThatAreNotThereAreRefused) {
  EXPECT_THROW(torch::ones({1}, torch::Device("ippatsu:99")), c10::Error);
}

namespace {

struct Model : torch::nn::Module {
  Model() {
    first = register_module("first", torch::nn::Linear(12, 32));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({32})));
    second = register_module("second", torch::nn::Linear(32, 5));
  }
  torch::Tensor forward(const torch::Tensor& x) { return second(torch::gelu(norm(first(x)))); }
  torch::nn::Linear first{nullptr}, second{nullptr};
  torch::nn::LayerNorm norm{nullptr};
};

template <typename Optimizer, typename Options>
std::vector<double> losses(torch::Device device, Options options) {
  torch::manual_seed(1);
  Model model;
  const torch::Tensor x = torch::randn({16, 12}), y = torch::randint(5, {16}, torch::kLong);
  model.to(device);
  const torch::Tensor inputs = x.to(device), targets = y.to(device);
  Optimizer optimizer(model.parameters(), options);
  std::vector<double> losses;
  for (int step = 0; step < 12; ++step) {
    optimizer.zero_grad();
    const auto settings = torch::nn::functional::CrossEntropyFuncOptions().label_smoothing(0.1);
    const torch::Tensor loss =
        torch::nn::functional::cross_entropy(model.forward(inputs), targets, settings);
    loss.backward();
    optimizer.step();
    losses.push_back(loss.item<double>());
  }
  return losses;
}

template <typename Optimizer, typename Options>
void expect_same_losses(Options options) {
  const auto expected = losses<Optimizer>(torch::kCPU, options);
  reset_metrics();
  const auto actual = losses<Optimizer>(ours(), options);
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], 1e-5 * expected[i]) << "step " << i;
  EXPECT_LT(expected.back(), expected.front());
  EXPECT_LE(metrics().compiles, 6) << "the steps after the second must find their program";
  EXPECT_TRUE(metrics().fallbacks.empty()) << metrics_report();
}

}  // namespace

TEST_F(Device, TrainsWithSgdAsTheCpu) {
  expect_same_losses<torch::optim::SGD>(torch::optim::SGDOptions(0.05).momentum(0.9));
}
TEST_F(Device, TrainsWithAdamAsTheCpu) {
  expect_same_losses<torch::optim::Adam>(torch::optim::AdamOptions(1e-2));
}
TEST_F(Device, TrainsWithAdamWAsTheCpu) {
  expect_same_losses<torch::optim::AdamW>(torch::optim::AdamWOptions(1e-2).weight_decay(0.1));
}

TEST_F(Device, DropoutKeepsItsShareAndPassesTheGradient) {
  torch::manual_seed(3);
  const torch::Tensor x = torch::ones({10'000}, torch::TensorOptions(ours()).requires_grad(true));
  const torch::Tensor y = torch::dropout(x, 0.25, /*train=*/true);
  y.sum().backward();
  const torch::Tensor host = y.detach().cpu();
  EXPECT_NEAR(host.ne(0).to(torch::kFloat).mean().item<double>(), 0.75, 0.02);
  EXPECT_NEAR(host.max().item<double>(), 1 / 0.75, 1e-5);
  expect_equal(x.grad(), host);
}

}  // namespace ippatsu
