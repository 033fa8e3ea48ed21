#include "records/replay.h"

#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "mahjong/test_script.h"
#include "records/read_record.h"

namespace ippatsu::mahjong {
namespace {

struct Choice {
  int seat;
  TileMask legal;
  int chosen;

  friend bool operator==(const Choice&, const Choice&) = default;
};

// Every discard of the game as the program that played it (riichienv 0.4.11) saw it: seat, mask of
// the legal tiles, tile chosen.
std::vector<Choice> choices_of_the_player(std::string_view name) {
  std::vector<Choice> choices;
  std::istringstream lines(read_file(fmt::format("tests/records/{}.legal", name)));
  for (Choice choice; lines >> choice.seat >> choice.legal >> choice.chosen;)
    choices.push_back(choice);
  return choices;
}

TEST(Replay, DecisionsAreThoseOfTheProgramThatPlayed) {
  for (const char* name : {"open-kan", "added-kan", "closed-kan", "three-players"}) {
    std::vector<Choice> expected = choices_of_the_player(name);
    std::erase_if(expected, [](const Choice& choice) { return count(choice.legal) < 2; });
    const Record record = read_record(fmt::format("tests/records/{}.mjai.jsonl", name));
    std::vector<Choice> decided;
    Replayer replayer(record);
    while (const Decision* decision = replayer.next())
      if (decision->among_discards())
        decided.push_back(
            {decision->view.seat, decision->view.legal().discards(), decision->chosen.index()});
    EXPECT_GT(decided.size(), 20U);
    EXPECT_TRUE(decided == expected) << name;
  }
}

Record record_of(const Script& script) {
  Record record{.source = "script", .unit = PlaceUnit::Event, .events = {}};
  for (const Event& event : events_of(script))
    record.events.push_back({event, static_cast<uint32_t>(record.events.size() + 1)});
  return record;
}

// "0 riichi, 1 discard 9m ...", up to the end of the script.
std::string decisions_in(const Script& script) {
  const Record record = record_of(script);
  Replayer replayer(record);
  std::string text;
  try {
    while (const Decision* decision = replayer.next())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", decision->view.seat,
                          to_string(decision->chosen));
    ADD_FAILURE() << "the game has no end";
  } catch (const std::exception&) {
  }
  return text;
}

TEST(Replay, FindsWhatWasChosenAndWhatWasLetPass) {
  struct Row {
    std::string_view name;
    Script script;
    std::string_view decisions;
  };
  constexpr std::string_view kTenpai = "123m456p78s11122z";
  const Row kRows[] = {
      {"a riichi of one legal discard, then only the tile drawn",
       {{kTenpai}, "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+8p 0= 1+9s 1= 0:ron:9s end"},
       "0 riichi, 1 pass, 1 discard 9m, 2 pass, 2 discard 9m, 3 discard 8p, 1 discard 9s, 0 win"},
      {"a ron let go, and a tsumo",
       {{kTenpai}, "0+9m 0= 1+9s 1= 2+1m 2= 3+1m 3= 0+6s 0:tsumo:6s end"},
       "0 discard 9m, 1 pass, 1 discard 9s, 0 pass, 2 discard 1m, 3 discard 1m, 0 pass, 0 win"},
      {"a pon; chi was possible for another, who may have been overruled",
       {{"1z", "46m", "", "55m1z"}, "0+5m 0= 3:pon:5m:55m 3-1z"},
       "0 discard 5m, 3 pon, 3 discard E"},
      {"a chi; whoever could pon has let it pass",
       {{"1z", "46m1z", "", "55m"}, "0+5m 0= 1:chi:5m:46m 1-1z"},
       "0 discard 5m, 1 chi middle, 3 pass, 1 discard E"},
      {"nobody wants it",
       {{"1z", "46m", "", "55m"}, "0+5m 0= 1+1z 1="},
       "0 discard 5m, 1 pass, 3 pass, 1 discard E"},
      {"a closed kan", {{"1111z"}, "0+5m 0:closed:1111z dora:1p 0+6m 0="}, "0 kan E, 0 discard 6m"},
      {"nine terminals", {{"19m19p19s123z4567m"}, "0+2p draw:3"}, "0 nine terminals"},
  };
  for (const Row& row : kRows) EXPECT_EQ(decisions_in(row.script), row.decisions) << row.name;
}

TEST(Replay, AnImpossibleChoiceIsNeverShown) {
  const Record record = record_of({{"5m"}, "0+1z 0-0s"});
  Replayer replayer(record);
  try {
    replayer.next();
    ADD_FAILURE() << "seat 0 holds no red 5s";
  } catch (const std::exception& error) {
    EXPECT_EQ(std::string(error.what()).find("script: event 4: East 1, honba 0: seat 0 discards"),
              0U)
        << error.what();
  }
}

}  // namespace
}  // namespace ippatsu::mahjong
