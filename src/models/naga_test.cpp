#include "models/naga.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "mahjong/features.h"

namespace ippatsu::models {

namespace {

torch::Tensor random_planes(int64_t batch) {
  return torch::randint(2, {batch, mahjong::kPlanes, mahjong::kKinds}, torch::kByte);
}

}  // namespace

TEST(Naga, GivesIllegalTilesNoProbability) {
  torch::manual_seed(1);
  Naga model(naga_config("tiny"));
  torch::Tensor legal = torch::zeros({3, mahjong::kTiles}, torch::kBool);
  legal.slice(1, 5, 9).fill_(true);
  const torch::Tensor p = torch::softmax(model(random_planes(3), legal), 1);
  EXPECT_TRUE(torch::allclose(p.sum(1), torch::ones({3})));
  EXPECT_EQ(p.masked_select(legal.logical_not()).max().item<double>(), 0);
}

TEST(Naga, IsDescribedByItsTrueParameterCount) {
  for (const NagaConfig& config : naga_configs()) {
    if (config.name == "base") continue;  // a gigabyte, for the same formula
    const double millions = static_cast<double>(Naga(config)->parameter_count()) / 1e6;
    EXPECT_EQ(describe(config),
              fmt::format("NAGA {}, {:.1f} million parameters", config.name, millions));
  }
}

TEST(Naga, EveryParameterGetsAGradient) {
  torch::manual_seed(1);
  Naga model(naga_config("tiny"));
  const torch::Tensor legal = torch::ones({2, mahjong::kTiles}, torch::kBool);
  torch::log_softmax(model(random_planes(2), legal), 1).select(1, 3).sum().backward();
  for (const auto& parameter : model->named_parameters()) {
    ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
    EXPECT_GT(parameter.value().grad().abs().sum().item<double>(), 0) << parameter.key();
  }
}

TEST(Naga, RefusesAnUnknownConfiguration) {
  EXPECT_THAT([] { naga_config("huge"); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("there are tiny, small, base")));
}

}  // namespace ippatsu::models
