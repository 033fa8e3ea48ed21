#include "nets/net_player.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/ippatsu.h"
#include "nets/test_nets.h"
#include "play/arena.h"
#include "play/random_player.h"
#include "report/safetensors.h"
#include "train/checkpoint.h"

namespace ippatsu::nets {
namespace {

using namespace mahjong;
using testing::HasSubstr;
using testing::ThrowsMessage;

class NetPlayerTest : public testing::Test {
 protected:
  std::filesystem::path untrained(Policy policy) const { return untrained_net(folder_, policy); }

  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "ippatsu_nets";
};

std::vector<play::PlayedGame> games_of(const std::shared_ptr<play::Player>& player) {
  std::vector<play::PlayedGame> games;
  const std::vector<play::PlannedGame> plan = play::duplicate_plan(1, 2);
  play::play_games(
      plan, {player, std::make_shared<play::RandomPlayer>()},
      {.rules = {.length = Length::East}, .workers = 2, .tables = 2}, [](size_t) { return true; },
      [&](play::PlayedGame&& game) {
        games.push_back(std::move(game));
        return true;
      });
  std::ranges::sort(games, {}, &play::PlayedGame::index);
  return games;
}

// A game refuses what is not legal.
TEST_F(NetPlayerTest, PlaysGamesToTheirEnd) {
  initialize();
  for (const Policy policy : {Policy::Discard, Policy::Full}) {
    const auto games =
        games_of(std::make_shared<NetPlayer>(untrained(policy), torch::Device("ippatsu")));
    ASSERT_EQ(games.size(), 4U);
    for (const play::PlayedGame& game : games) EXPECT_EQ(game.fault, "");
  }
}

// Batches of odd sizes are padded, and large ones cut: a decision gets the same logits in any.
TEST_F(NetPlayerTest, LogitsDependOnTheDecisionAlone) {
  initialize();
  const std::filesystem::path path = untrained(Policy::Full);
  Evaluator device(train::load_model(path, torch::Device("ippatsu")), torch::Device("ippatsu"));
  Evaluator cpu(train::load_model(path, torch::kCPU), torch::kCPU);
  const Game game(RuleSet{}, 3);
  const std::vector<DecisionView> decisions(Evaluator::kLargestBatch + 3,
                                            {&game.table(), game.table().turn()});
  const torch::Tensor one = cpu.logits(std::span(decisions).first(1));
  for (const size_t count : {size_t{1}, size_t{3}, decisions.size()}) {
    const torch::Tensor many = device.logits(std::span(decisions).first(count));
    ASSERT_EQ(many.sizes(), (torch::IntArrayRef{static_cast<int64_t>(count), Action::kCount}));
    EXPECT_TRUE(torch::allclose(many, one.expand_as(many), 1e-4, 1e-4)) << count;
  }
  EXPECT_EQ(cpu.logits(std::span<const DecisionView>{}).size(0), 0);
}

TEST_F(NetPlayerTest, RefusesANetOfAnotherFeatureVersion) {
  const std::filesystem::path path = untrained(Policy::Discard);
  const report::SafeTensorsFile file(path);
  report::SafeTensors content = file.content();
  content.metadata["features"] = "1";
  const std::filesystem::path old = folder_ / "old.safetensors";
  report::write_safetensors(old, content);
  EXPECT_THAT([&] { NetPlayer(old, torch::kCPU); },
              ThrowsMessage<Error>(HasSubstr("old.safetensors: was trained on feature version 1")));
}

}  // namespace
}  // namespace ippatsu::nets
