#include "nets/net_adviser.h"

#include <numeric>

#include <gtest/gtest.h>

#include "analysis/analysis.h"
#include "nets/test_nets.h"
#include "records/read_record.h"

namespace ippatsu::nets {
namespace {

using namespace mahjong;
using analysis::Opinion;

class NetAdviserTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "ippatsu_net_adviser";
};

TEST_F(NetAdviserTest, HasAnOpinionOnWhatItsPolicyIsFor) {
  const Record record = read_record("tests/records/open-kan.json");
  for (const Policy policy : {Policy::Discard, Policy::Full}) {
    NetAdviser adviser(untrained_net(folder_, policy), torch::kCPU);
    analysis::Adviser* const advisers[] = {&adviser};
    const analysis::Analysis analysis = analyse(record, advisers);
    EXPECT_EQ(analysis.advisers[0].sha256.size(), 64U);
    for (const analysis::Turn& turn : analysis.turns) {
      const std::optional<Opinion>& opinion = turn.opinions[0];
      ASSERT_EQ(opinion.has_value(), policy == Policy::Full || turn.among_discards);
      if (!opinion) continue;
      float sum = 0;
      for (int i = 0; i < Action::kCount; ++i) {
        const Action action = Action::of_index(i);
        EXPECT_TRUE(turn.view().legal().contains(action) || opinion->of(action) < 1e-6);
        sum += opinion->of(action);
      }
      EXPECT_NEAR(sum, 1, 1e-4);
    }
  }
}

}  // namespace
}  // namespace ippatsu::nets
