#include <nlohmann/json.hpp>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/page_data.h"
#include "analysis/plain_advisers.h"
#include "analysis/present.h"
#include "records/read_record.h"

namespace ippatsu::analysis {
namespace {

using namespace mahjong;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile = "</script><script>alert('x')</script>&\"\x01\xff";

Analysis analysed(const char* path, const char* name = nullptr) {
  RulesOfThumb first;
  const auto second = plain_adviser("greedy");
  Record record = read_record(path);
  if (name) std::get<StartGame>(record.events[0].event).names[0] = name;
  Adviser* const advisers[] = {&first, second.get()};
  return analyse(record, advisers);
}

TEST(Page, LetsNoNameBreakOut) {
  const std::string page =
      to_html(analysed("tests/records/open-kan.json", kHostile), Language::English);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;script&gt;alert"));
  EXPECT_EQ(page.find('\x01'), page.npos);
}

TEST(Page, LeadsFromEveryBadMoveToItsBoard) {
  const Analysis analysis = analysed("tests/records/open-kan.json");
  const std::string page = to_html(analysis, Language::Japanese);
  size_t bad = 0;
  for (const Verdict& verdict : analysis.verdicts)
    for (const size_t index : verdict.bad) {
      ++bad;
      EXPECT_THAT(page, HasSubstr(fmt::format("href=\"#turn-{}\"", analysis.turns[index].index)));
    }
  EXPECT_GT(bad, 0U);
  EXPECT_THAT(page, HasSubstr("<html lang=\"ja\" data-language=\"ja\">"));
}

// The script finds a board for every turn: as many tiles as a seat has, and a bar for every action.
TEST(PageData, HoldsWholeBoards) {
  for (const char* path : {"tests/records/open-kan.json", "tests/records/added-kan.json",
                           "tests/records/closed-kan.json", "tests/records/three-players.json"}) {
    const Analysis analysis = analysed(path);
    const json data = page_data(analysis);
    ASSERT_EQ(data["turns"].size(), analysis.turns.size());
    for (size_t i = 0; i < analysis.turns.size(); ++i) {
      const Turn& turn = analysis.turns[i];
      const json& told = data["turns"][i];
      for (int seat = 0; seat < analysis.course.players(); ++seat) {
        const json& side = told["seats"][seat];
        const SeatState& state = turn.table.seat(seat);
        const size_t held =
            side["hand"].get<std::string>().size() + side["drawn"].get<std::string>().size();
        EXPECT_EQ(held, static_cast<size_t>(state.concealed.size()));
        EXPECT_EQ(side["river"].get<std::string>().size(), 2 * state.discards.size());
        for (size_t meld = 0; meld < state.melds.size(); ++meld)
          EXPECT_EQ(side["melds"][meld].get<std::string>().size(), 2U * state.melds[meld].size);
      }
      int chosen = 0;
      for (const json& action : told["actions"]) {
        EXPECT_EQ(action["p"].size(), 2U);
        EXPECT_TRUE(action.contains("tile") || action.contains("word"));
        chosen += action.contains("chosen");
      }
      EXPECT_EQ(chosen, 1);
      EXPECT_EQ(told["actions"].size(), static_cast<size_t>(turn.view().legal().size()));
    }
  }
}

// Of riichi, calls and kans an adviser for discards says nothing, here and in JSON.
TEST(PageData, TellsWhatAnAdviserCannotSpeakOf) {
  class ForDiscards : public RulesOfThumb {
   public:
    AdviserFacts facts() const override { return {.name = "discards", .discards_only = true}; }
  };
  ForDiscards adviser;
  Adviser* const advisers[] = {&adviser};
  const Analysis analysis = analyse(read_record("examples/records/game-0002.mjai.gz"), advisers);
  const json data = page_data(analysis), told = to_json(analysis);
  int silent = 0, unasked = 0;
  for (size_t i = 0; i < analysis.turns.size(); ++i) {
    const json& opinion = told["turns"][i]["opinions"][0];
    EXPECT_EQ(opinion.is_null(), !analysis.turns[i].among_discards);
    unasked += opinion.is_null();
    for (size_t k = 0; !opinion.is_null() && k < opinion["probabilities"].size(); ++k) {
      const json& action = data["turns"][i]["actions"][k];
      EXPECT_EQ(action["p"][0].is_null(), !action.contains("tile"));
      EXPECT_EQ(opinion["probabilities"][k].is_null(), !action.contains("tile"));
      silent += !action.contains("tile");
    }
  }
  EXPECT_GT(silent, 0);
  EXPECT_GT(unasked, 0);
}

// "100": the first of three tiles lies sideways.
std::string ways_of(const json& meld) {
  const auto text = meld.get<std::string>();
  std::string ways;
  for (size_t i = 1; i < text.size(); i += 2) ways += text[i];
  return ways;
}

// Where a called tile lies tells whom it came from.
TEST(PageData, LaysMelds) {
  std::set<std::string> ways;
  for (int game = 1; game <= 12; ++game) {
    const std::string path = fmt::format("examples/records/game-{:04}.mjai.gz", game);
    const json data = page_data(analysed(path.c_str()));
    for (const json& turn : data["turns"])
      for (const json& seat : turn["seats"])
        for (const json& meld : seat["melds"]) ways.insert(ways_of(meld));
  }
  EXPECT_THAT(ways, testing::IsSupersetOf({"100", "010", "001"}));
  for (const std::string& way : ways)
    EXPECT_THAT((std::set<std::string>{"100", "010", "001", "1000", "0100", "0001", "1300", "0130",
                                       "0013", "2002"}),
                testing::Contains(way));
}

}  // namespace
}  // namespace ippatsu::analysis
