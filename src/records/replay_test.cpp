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
      decided.push_back({decision->view.seat, decision->view.legal, decision->chosen.index()});
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

// Seat 0 declares riichi with one discard that keeps it tenpai, and then draws and discards.
TEST(Replay, ForcedDiscardsAreNoDecisions) {
  const Record record =
      record_of({{"123m456p78s11122z"},
                 "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+8p 0= 1+9s 1= 0:ron:9s end"});
  Replayer replayer(record);
  std::vector<int> seats;
  try {
    while (const Decision* decision = replayer.next()) seats.push_back(decision->view.seat);
    ADD_FAILURE() << "the game has no end";
  } catch (const std::exception&) {
  }
  EXPECT_EQ(seats, (std::vector{1, 2, 3, 1}));
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
