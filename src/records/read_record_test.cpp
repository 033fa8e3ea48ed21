#include "records/read_record.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "records/replay.h"

namespace ippatsu::mahjong {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::string_view kRecords[] = {"open-kan", "added-kan", "closed-kan", "three-players"};
constexpr std::string_view kFormats[] = {".mjlog", ".json", ".mjai.jsonl"};

std::string path_of(std::string_view name, std::string_view format) {
  return fmt::format("tests/records/{}{}", name, format);
}

// The game without what the formats do not all tell: the order of tiles in a hand or a call, the
// length of the game, its final points, what a win is worth.
std::vector<Event> comparable(const Record& record) {
  std::vector<Event> events;
  for (const RecordedEvent& recorded : record.events) {
    Event event = recorded.event;
    if (auto* game = std::get_if<StartGame>(&event)) game->rules.length = Length::South;
    if (auto* round = std::get_if<StartRound>(&event))
      for (Hand& hand : round->hands) std::ranges::sort(hand);
    if (auto* call = std::get_if<Call>(&event))
      std::sort(call->own.begin(), call->own.begin() + call->own_count());
    if (auto* kan = std::get_if<ClosedKan>(&event)) std::ranges::sort(kan->tiles);
    if (auto* win = std::get_if<Win>(&event)) win->stated = {};
    if (auto* end = std::get_if<EndGame>(&event)) end->scores.reset();
    events.push_back(event);
  }
  return events;
}

TEST(ReadRecord, AllFormatsGiveTheSameGame) {
  for (const std::string_view name : kRecords) {
    const Record mjai = read_record(path_of(name, ".mjai.jsonl"));
    check(mjai);
    for (const std::string_view format : kFormats) {
      const Record other = read_record(path_of(name, format));
      check(other);
      const std::vector<Event> expected = comparable(mjai), read = comparable(other);
      ASSERT_EQ(read.size(), expected.size()) << name << format;
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(read[i] == expected[i]) << name << format << ", event " << i;
    }
  }
}

TEST(ReadRecord, ContentAndNotTheNameTellsTheFormat) {
  const fs::path folder = fs::path(testing::TempDir()) / "ippatsu_read_record";
  fs::create_directories(folder);
  for (const std::string_view format : kFormats)
    for (const bool packed : {false, true}) {
      const std::string text = read_file(path_of("open-kan", format));
      const fs::path path = folder / "record.bin";
      write_file_atomically(path, packed ? gzip(text) : "\xef\xbb\xbf\n " + text);
      EXPECT_NO_THROW(check(read_record(path))) << format;
    }
  fs::remove_all(folder);
}

TEST(ReadRecord, SeveralGamesMayFollowOneAnother) {
  const std::string twice = read_file(path_of("open-kan", ".mjai.jsonl")) +
                            read_file(path_of("three-players", ".mjai.jsonl"));
  const Record record = read_record_text(twice, "twice");
  Replayer replayer(record);
  int last_game = -1, seen = 0;
  while (const Decision* decision = replayer.next()) {
    EXPECT_GE(decision->game, last_game);
    seen += decision->game != last_game;
    last_game = decision->game;
  }
  EXPECT_EQ(seen, 2);
}

TEST(ReadRecord, NamesAreDecoded) {
  std::string text = read_file(path_of("open-kan", ".mjlog"));
  text.replace(text.find("anna"), 4, "%E4%B8%80%e7%99%ba");
  text.replace(text.find("ben"), 3, "b%zz%4");
  const Record record = read_record_text(text, "x");
  const StartGame& game = std::get<StartGame>(record.events[0].event);
  EXPECT_EQ(game.names, (std::vector<std::string>{"一発", "b%zz%4", "cleo", "dan"}));
}

// Each broken text is told in one sentence, with the source and where in it.
TEST(ReadRecord, BrokenTextsAreToldWithTheirPlace) {
  const std::string deep(100'000, '[');
  std::string deep_xml;
  for (int i = 0; i < 50'000; ++i) deep_xml += "<a>";
  const auto mjai = [](std::string_view line) {
    return fmt::format("{{\"type\":\"start_game\"}}\n{}\n", line);
  };
  const auto mjlog = [](std::string_view element) {
    return fmt::format("<mjloggm ver=\"2.3\"><GO type=\"169\"/>{}</mjloggm>", element);
  };
  const auto tenhou = [](std::string_view round) {
    return fmt::format(R"({{"name":["a","b","c","d"],"rule":{{"aka":1}},"log":[{}]}})", round);
  };
  struct Row {
    std::string text, error;
  };
  const Row kRows[] = {
      {"", "x: byte 0: the file is empty"},
      {"hello", "x: byte 0: is neither"},
      {"{}", "is neither"},
      {"[1,2]", "is neither"},
      {deep, "is neither"},
      {std::string("\x00\xff\x1f", 3), "is neither"},
      {"{\"a\":" + deep, "is neither"},
      {"{\"type\":" + deep, "x: line 1: is not JSON"},
      {"{\"log\":" + deep, "x: is not JSON"},
      {"<mjloggm>", "is not whole XML"},
      {"<mjloggm><N", "is not whole XML"},
      {"<html></html>", "no <mjloggm>"},
      {deep_xml, "is not whole XML"},
      {mjlog("<T136/>"), "x: byte 36: <T136>: 136 is not a tile id"},
      {mjlog("<T99999999999999999999/>"), "not a number in range"},
      {mjlog("<T1x/>"), "not a number in range"},
      {mjlog("<X12/>"), "<X12>: is no element of a Tenhou log"},
      {mjlog("<N who=\"0\"/>"), "attribute m is missing"},
      {mjlog("<N who=\"0\" m=\"70000\"/>"), "is not a meld word"},
      {mjlog("<N who=\"7\" m=\"1\"/>"), "7 is not a seat"},
      {mjlog("<REACH who=\"0\" step=\"3\"/>"), "riichi has no step 3"},
      {mjlog("<DORA hai=\"-1\"/>"), "is not a tile id"},
      {mjlog("<INIT seed=\"0,0\"/>"), "attribute seed has 2 numbers, but needs 6"},
      {mjlog("<INIT seed=\"16,0,0,1,1,5\" ten=\"1,1,1,1\" oya=\"0\"/>"), "no round 16"},
      {mjlog("<INIT seed=\"0,0,0,1,1,5\" ten=\"1,1,1,1\" oya=\"0\" hai0=\"1,2\"/>"), "hai0"},
      {mjlog("<RYUUKYOKU type=\"rain\"/>"), "'rain' is no known reason"},
      {mjlog("<T1><T2/></T1>"), "has content"},
      {mjai("{\"type\":\"fly\"}"), "x: line 2: 'fly' is no mjai event"},
      {mjai("{\"type\":3}"), "x: line 2: 'type' is not a text"},
      {mjai("{\"actor\":0}"), "x: line 2: 'type' is missing"},
      {mjai("{\"type\":\"tsumo\",\"actor\":0,\"pai\":\"1z\"}"),
       "x: line 2: tsumo: '1z' is not an mjai tile"},
      {mjai("{\"type\":\"tsumo\",\"actor\":0,\"pai\":\"?\"}"), "hidden"},
      {mjai("{\"type\":\"tsumo\",\"actor\":4,\"pai\":\"E\"}"), "'actor' is out of range"},
      {mjai("{\"type\":\"tsumo\",\"actor\":1e3,\"pai\":\"E\"}"), "not a whole number"},
      {mjai("{\"type\":\"tsumo\",\"actor\":18446744073709551615,\"pai\":\"E\"}"), "out of range"},
      {mjai("{\"type\":\"dahai\",\"actor\":0,\"pai\":\"E\"}"), "'tsumogiri' is missing"},
      {mjai("{\"type\":\"pon\",\"actor\":0,\"target\":1,\"pai\":\"E\",\"consumed\":[\"E\"]}"),
       "'consumed' has 1 entries"},
      {mjai("{\"type\":\"hora\",\"actor\":0,\"target\":1,\"deltas\":[1,2]}"),
       "'deltas' has 2 entries"},
      {mjai("{\"type\":\"tsumo\","), "x: line 2: is not JSON"},
      {mjai("[]"), "is not a JSON object"},
      {tenhou("7"), "round 1 of the log: 'round' is not a list"},
      {tenhou("[[0,0,0]]"), "'round' has 1 entries"},
      {"{\"log\":[]}", "'name' is missing"},
      {"{\"log\":{},\"name\":[]}", "'log' is not a list"},
      {"{\"log\":[", "is not JSON"},
  };
  for (const Row& row : kRows) try {
      read_record_text(row.text, "x");
      ADD_FAILURE() << "no error for " << row.text.substr(0, 80);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(row.error)) << row.text.substr(0, 80);
      EXPECT_THAT(error.what(), testing::StartsWith("x: "));
      EXPECT_LT(std::string_view(error.what()).size(), 400U);
    }
}

// Files that read well but tell an impossible or unfinished game.
TEST(ReadRecord, ImpossibleGamesAreToldWithTheirPlace) {
  const auto changed = [](std::string_view format, std::string_view from, std::string_view to) {
    std::string text = read_file(path_of("open-kan", format));
    const size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::string mjai = read_file(path_of("open-kan", ".mjai.jsonl"));
  const size_t half = mjai.find('\n', mjai.size() / 2) + 1;
  struct Row {
    std::string text, error;
  };
  const Row kRows[] = {
      {mjai.substr(0, half), "x: line 71: the record ends in the middle of a game"},
      {mjai.substr(half), "x: line 1: "},
      {"{\"type\":\"start_game\"}\n", "x: line 1: the record ends in the middle of a game"},
      {"{\"type\":\"end_game\"}\n", "x: line 1: the game ends in the middle"},
      {"<mjloggm ver=\"2.3\"></mjloggm>", "x: byte 0: the record ends without a game"},
      {changed(".mjai.jsonl", "\"type\":\"dahai\"}", "\"type\":\"kita\"}"), "line "},
      {changed(".mjlog", "oya=\"0\" hai0", "oya=\"2\" hai0"), "x: byte "},
  };
  for (const Row& row : kRows) try {
      check(read_record_text(row.text, "x"));
      ADD_FAILURE() << "no error, but wanted: " << row.error;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(row.error));
    }
}

TEST(ReadRecord, DamagedGzipIsToldWithItsPath) {
  const fs::path path = fs::path(testing::TempDir()) / "ippatsu_cut.mjai.gz";
  const std::string packed = gzip(read_file(path_of("open-kan", ".mjai.jsonl")));
  write_file_atomically(path, packed.substr(0, packed.size() / 2));
  try {
    read_record(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("ippatsu_cut.mjai.gz"));
  }
  fs::remove(path);
}

// A kan of 5m with another off its replacement tile: both indicators come after the second kan.
TEST(ReadRecord, IndicatorsStayWhereTheyAreSeen) {
  const auto dora_between = [](const Record& record) {
    std::string order;
    for (const RecordedEvent& recorded : record.events) {
      if (std::holds_alternative<Dora>(recorded.event)) order += 'i';
      if (std::holds_alternative<Draw>(recorded.event)) order += 't';
      if (std::holds_alternative<Discard>(recorded.event)) order += 'd';
      if (std::holds_alternative<AddedKan>(recorded.event)) order += 'a';
      if (std::holds_alternative<ClosedKan>(recorded.event)) order += 'c';
    }
    return order;
  };
  const std::string added = R"(<N who="2" m="6705"/>)", closed = R"(<N who="2" m="22528"/>)";
  const std::string log = "<mjloggm>" + added + "<V1/>" + closed +
                          R"(<DORA hai="100"/><DORA hai="104"/><V2/><F2/>)" + added +
                          R"(<V3/><DORA hai="108"/><F3/></mjloggm>)";
  EXPECT_EQ(dora_between(read_record_text(log, "x")), "atciitdatdi");
}

// A declaring discard that three may win on is not passed, whatever then becomes of the round.
TEST(ReadRecord, RiichiIsNotAcceptedWhereThreeRon) {
  std::string text = read_file("tests/records/open-kan.json");
  const auto replace = [&](std::string_view from, std::string_view to) {
    ASSERT_NE(text.find(from), text.npos) << from;
    text.replace(text.find(from), from.size(), to);
  };
  replace("0,15,46,19]", "0,15,46,\"r19\"]");
  replace(R"(["和了",[14000,-12000,0,0],[0,1,0]])", R"(["三家和了"])");
  const std::vector<RecordedEvent> events = read_record_text(text, "x").events;
  const std::span last = std::span(events).last(5);
  EXPECT_EQ(last[0].event, Event(RiichiDeclared{1}));
  EXPECT_TRUE(std::holds_alternative<Discard>(last[1].event));
  EXPECT_EQ(last[2].event, Event(RoundDraw{DrawKind::TripleRon, std::nullopt}));
}

// One list of ura indicators serves all winners of a round; who did not declare riichi has none.
TEST(ReadRecord, UraIndicatorsAreThoseOfRiichi) {
  std::string text = read_file("tests/records/open-kan.json");
  const std::string_view won = R"([14000,-12000,0,0],[0,1,0])";
  text.insert(text.find(won) + won.size(), R"(,[0,-1000,1000,0],[2,1,2])");
  std::vector<size_t> ura;
  for (const RecordedEvent& recorded : read_record_text(text, "x").events)
    if (const auto* win = std::get_if<Win>(&recorded.event))
      ura.push_back(win->ura_indicators.size());
  EXPECT_EQ(ura, (std::vector<size_t>{2, 0}));
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() != ".md") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// What the records of people add up to. The points of the end must follow from the rounds' deltas:
// sticks still on the table go to the first.
TEST(ReadRecord, RecordsOfPeople) {
  const std::vector<fs::path> files = files_in("../shared/records");
  if (files.empty()) GTEST_SKIP() << "skipped: no records";
  int rounds = 0, wins = 0, draws = 0, decisions = 0;
  for (const fs::path& path : files) {
    const Record record = read_record(path);
    Replayer replayer(record);
    while (const Decision* decision = replayer.next()) decisions += decision->among_discards();
    for (const RecordedEvent& recorded : record.events) {
      rounds += std::holds_alternative<StartRound>(recorded.event);
      wins += std::holds_alternative<Win>(recorded.event);
      draws += std::holds_alternative<RoundDraw>(recorded.event);
    }
    Scores points = replayer.table().scores();
    *std::ranges::max_element(points) += 1000 * replayer.table().sticks();
    EXPECT_EQ(std::get<EndGame>(record.events.back().event).scores, points) << path;
  }
  EXPECT_EQ(files.size(), 24U);
  EXPECT_EQ(rounds, 250);
  EXPECT_EQ(wins, 208);
  EXPECT_EQ(draws, 45);
  EXPECT_EQ(decisions, 11'078);
}

TEST(ReadRecord, RecordsInTheOtherFormats) {
  const std::vector<fs::path> files = files_in("../shared/records-other");
  if (files.empty()) GTEST_SKIP() << "skipped: no records";
  for (const fs::path& path : files) EXPECT_NO_THROW(check(read_record(path))) << path;
  EXPECT_EQ(files.size(), 14U);
}

}  // namespace
}  // namespace ippatsu::mahjong
