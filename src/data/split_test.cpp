#include "data/split.h"

#include <gtest/gtest.h>

namespace ippatsu::data {

TEST(Split, NumbersDecisionsThroughAllGames) {
  std::vector<Row> rows(6);
  for (size_t i = 0; i < rows.size(); ++i) rows[i].action = i;
  Split split;
  size_t begin = 0;
  for (const size_t size : {0, 2, 0, 0, 1, 3, 0}) {
    split.add_game(std::span(rows).subspan(begin, size));
    begin += size;
  }
  EXPECT_EQ(split.games(), 7);
  ASSERT_EQ(split.size(), 6);
  for (int64_t i = 0; i < split.size(); ++i) EXPECT_EQ(split[i].action, uint64_t(i));
}

TEST(Split, IsEmptyAtFirst) {
  EXPECT_EQ(Split().size(), 0);
  EXPECT_EQ(Split().games(), 0);
}

}  // namespace ippatsu::data
