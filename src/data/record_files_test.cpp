#include "data/record_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "data/scratch_folder.h"

namespace ippatsu::data {

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class RecordFiles : public testing::Test {
 protected:
  fs::path touch(const char* name) {
    fs::create_directories((folder_ / name).parent_path());
    write_file_atomically(folder_ / name, "x");
    return folder_ / name;
  }

  const ScratchFolder folder_;
};

std::vector<fs::path> find(std::vector<fs::path> paths) { return record_files(paths); }

}  // namespace

TEST_F(RecordFiles, AFolderGivesWhatIsNamedLikeARecordInOrder) {
  const fs::path b = touch("b.mjai.gz");
  const fs::path a = touch("deep/er/a.mjlog");
  const fs::path c = touch("c.json");
  touch("README.md");
  touch("picture.png.gz");
  touch(".hidden/d.json");
  touch(".e.json");
  EXPECT_THAT(find({folder_.path()}), ElementsAre(b, c, a));
  EXPECT_THAT(find({folder_.path(), c}), ElementsAre(b, c, a));
}

TEST_F(RecordFiles, AFileNamedByTheUserIsTakenWhateverItsName) {
  const fs::path odd = touch("game.txt");
  EXPECT_THAT(find({odd}), ElementsAre(odd));
}

TEST_F(RecordFiles, NothingFoundIsOneClearSentence) {
  EXPECT_THAT([&] { find({folder_.path()}); },
              ThrowsMessage<Error>(HasSubstr(": holds no game record")));
  EXPECT_THAT([&] { find({folder_ / "none"}); }, ThrowsMessage<Error>(HasSubstr("no such file")));
  EXPECT_THAT([&] { find({"/dev/null"}); },
              ThrowsMessage<Error>(HasSubstr("neither a file nor a folder")));
  EXPECT_THAT([&] { find({}); }, ThrowsMessage<Error>(HasSubstr("no game records were given")));
}

}  // namespace ippatsu::data
