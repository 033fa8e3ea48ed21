#include "base/lasting_thread.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu {

TEST(LastingThread, DoesWhatSeveralThreadsAskInOne) {
  LastingThread lasting;
  std::set<std::thread::id> threads;
  std::vector<std::thread> asking;
  for (int i = 0; i < 4; ++i)
    asking.emplace_back([&] { lasting.run([&] { threads.insert(std::this_thread::get_id()); }); });
  for (std::thread& thread : asking) thread.join();
  EXPECT_EQ(threads.size(), 1U);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(LastingThread, GivesBackWhatIsThrown) {
  LastingThread lasting;
  EXPECT_THROW(lasting.run([] { fail("no"); }), Error);
  bool done = false;
  lasting.run([&] { done = true; });
  EXPECT_TRUE(done);
}

}  // namespace ippatsu
