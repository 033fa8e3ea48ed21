#include "records/write_record.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/split_mix.h"
#include "mahjong/game.h"
#include "mahjong/shanten.h"
#include "records/check_record.h"
#include "records/draw_names.h"
#include "records/read_record.h"

namespace ippatsu::mahjong {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kFolders[] = {"tests/records", "examples/records", "../shared/records",
                                    "../shared/records-other"};

bool is_record(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".mjlog" || ending == ".json" || ending == ".jsonl" || ending == ".gz";
}

std::vector<fs::path> records_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (is_record(entry.path())) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

bool is_aborted(DrawKind kind) { return kind >= DrawKind::NineTerminals; }

// What mjai has words for.
Event told_by_mjai(Event event, const RuleSet& rules) {
  if (auto* game = std::get_if<StartGame>(&event)) game->names.resize(rules.players);
  if (auto* win = std::get_if<Win>(&event)) {
    win->stated = {};
    win->liable.reset();
  }
  return event;
}

// What Tenhou JSON has words for; `stated`: whether the record tells what a win is worth.
Event told_by_tenhou(Event event, const RuleSet& rules, bool stated) {
  if (auto* game = std::get_if<StartGame>(&event)) {
    game->names.resize(rules.players);
    game->wall_seed.clear();
  }
  if (auto* round = std::get_if<StartRound>(&event))
    for (Hand& hand : round->hands) std::ranges::sort(hand);
  if (auto* draw = std::get_if<RoundDraw>(&event))
    if (is_aborted(draw->kind)) draw->deltas.reset();
  if (auto* win = std::get_if<Win>(&event)) {
    if (!stated) win->stated = {};
    if (win->stated.points.value_or(0) >= 8000) win->stated.fu.reset();
  }
  return event;
}

const RuleSet& rules_of(const Record& record) {
  return std::get<StartGame>(record.events.front().event).rules;
}

void expect_equal(const Event& expected, const Event& read, std::string_view where) {
  EXPECT_EQ(expected.index(), read.index()) << where;
  EXPECT_TRUE(expected == read) << where;
}

void expect_round_trip_by_mjai(const Record& record) {
  const Record read = read_record_text(write_mjai(record), "mjai");
  ASSERT_EQ(read.events.size(), record.events.size()) << record.source;
  for (size_t i = 0; i < read.events.size(); ++i)
    expect_equal(told_by_mjai(record.events[i].event, rules_of(record)),
                 told_by_mjai(read.events[i].event, rules_of(record)),
                 fmt::format("{}, event {}", record.source, i));
}

void expect_round_trip_by_tenhou_json(const Record& record) {
  const Record read = read_record_text(write_tenhou_json(record), "json");
  ASSERT_EQ(read.events.size(), record.events.size()) << record.source;
  for (size_t i = 0; i < read.events.size(); ++i) {
    const Event& event = record.events[i].event;
    Event other = read.events[i].event;
    const auto* win = std::get_if<Win>(&event);
    const bool stated = win && rules_of(record).players == kSeats && !win->stated.yaku.empty();
    const auto* draw = std::get_if<RoundDraw>(&event);
    if (draw && draw->kind == DrawKind::Unspecified)
      std::get<RoundDraw>(other).kind = DrawKind::Unspecified;
    expect_equal(told_by_tenhou(event, rules_of(record), stated),
                 told_by_tenhou(other, rules_of(record), stated),
                 fmt::format("{}, event {}", record.source, i));
  }
}

void expect_nothing_different(const RecordCheck& check, std::string_view where) {
  for (const Difference& difference : check.differences)
    ADD_FAILURE() << where << ", event " << difference.event << ": " << difference.what;
}

TEST(WriteRecord, WhatIsWrittenIsReadAgain) {
  for (const char* folder : kFolders)
    for (const fs::path& path : records_in(folder)) {
      const Record record = read_record(path);
      expect_round_trip_by_mjai(record);
      expect_round_trip_by_tenhou_json(record);
    }
}

TEST(WriteRecord, RecordsOfPeopleKeepToTheRules) {
  const std::vector<fs::path> files = records_in("../shared/records");
  if (files.empty()) GTEST_SKIP() << "skipped: no records";
  int64_t walls = 0;
  for (const fs::path& path : files) {
    const Record record = read_record(path);
    const RecordCheck mjai = check_record(read_record_text(write_mjai(record), "mjai"));
    expect_nothing_different(mjai, path.string());
    expect_nothing_different(check_record(read_record_text(write_tenhou_json(record), "json")),
                             path.string());
    walls += mjai.walls;
  }
  EXPECT_EQ(walls, 250);
}

// A round of a Tenhou JSON without the order in its hands, and without wins that `theirs` states no
// value for: those were written by hand.
nlohmann::json comparable(nlohmann::json round, const nlohmann::json& theirs) {
  constexpr int kHands = 4, kColumnsPerSeat = 3;
  for (int seat = 0; seat < kSeats; ++seat) {
    nlohmann::json& hand = round[kHands + kColumnsPerSeat * seat];
    std::sort(hand.begin(), hand.end());
  }
  for (size_t part = 2; part < theirs.back().size(); part += 2)
    if (theirs.back()[part].size() == 3) round.back()[part].clear();
  return round;
}

TEST(WriteRecord, TenhouJsonIsAsTenhouWritesIt) {
  int compared = 0;
  for (const char* folder : {"tests/records", "../shared/records-other"})
    for (const fs::path& path : records_in(folder)) {
      if (path.extension() != ".json") continue;
      const auto theirs = nlohmann::json::parse(read_file(path))["log"];
      const auto ours = nlohmann::json::parse(write_tenhou_json(read_record(path)))["log"];
      ASSERT_EQ(ours.size(), theirs.size());
      for (size_t i = 0; i < theirs.size(); ++i, ++compared)
        EXPECT_EQ(comparable(ours[i], theirs[i]), comparable(theirs[i], theirs[i]))
            << path << ", round " << i;
    }
  EXPECT_GE(compared, 4);
}

// Of the discards that keep the hand nearest to tenpai one at random; now and then any.
Action towards_tenpai(const SeatState& seat, TileMask discards, SplitMix64& random) {
  ActionSet best;
  int least = std::numeric_limits<int>::max();
  for (int tile = 0; tile < kTiles; ++tile) {
    if (!(discards >> tile & 1)) continue;
    Concealed rest = seat.concealed;
    rest.remove(Tile::of_index(tile));
    const int distance = shanten(rest.kinds(), static_cast<int>(seat.melds.size()));
    if (distance < least) best = {};
    if (distance <= least) best.add(Action::discard(Tile::of_index(tile)));
    least = std::min(least, distance);
  }
  return best.nth(static_cast<int>(random.below(static_cast<uint32_t>(best.size()))));
}

// Wins and declares riichi where it may, mostly, and calls at random: rounds end in many ways.
Action choose(const Table& table, int seat, SplitMix64& random) {
  const ActionSet& legal = table.legal(seat);
  const auto mostly = [&](Action action, uint32_t but_one_in) {
    return legal.contains(action) && random.below(but_one_in) != 0;
  };
  if (mostly(Action::win(), 8)) return Action::win();
  if (mostly(Action::riichi(), 4)) return Action::riichi();
  if (mostly(Action::nine_terminals(), 4)) return Action::nine_terminals();
  if (mostly(Action::pass(), 4)) return Action::pass();
  if (legal.discards() != 0 && random.below(8) != 0)
    return towards_tenpai(table.seat(seat), legal.discards(), random);
  return legal.nth(static_cast<int>(random.below(static_cast<uint32_t>(legal.size()))));
}

Record played(const RuleSet& rules, uint64_t seed) {
  std::vector<Event> events;
  Game game(rules, seed, &events);
  SplitMix64 random(seed);
  while (!game.over())
    for (Seat seat = 0; seat < kSeats && !game.over(); ++seat)
      if (game.asks(seat)) game.choose(seat, choose(game.table(), seat, random));
  Record record{.source = fmt::format("seed {}", seed), .unit = PlaceUnit::Event, .events = {}};
  for (Event& event : events)
    record.events.emplace_back(std::move(event), static_cast<uint32_t>(record.events.size() + 1));
  std::get<StartGame>(record.events[0].event).names = {"<b>a</b>", "\"b\\", "", "発\n"};
  return record;
}

// Whether one tile has two winners.
bool has_double_ron(const Record& record) {
  const auto both_win = [](const RecordedEvent& a, const RecordedEvent& b) {
    return std::holds_alternative<Win>(a.event) && std::holds_alternative<Win>(b.event);
  };
  return std::ranges::adjacent_find(record.events, both_win) != record.events.end();
}

bool is_drawn_by(const Record& record, DrawKind kind) {
  return std::ranges::any_of(record.events, [&](const RecordedEvent& recorded) {
    const auto* draw = std::get_if<RoundDraw>(&recorded.event);
    return draw && draw->kind == kind;
  });
}

TEST(WriteRecord, GamesPlayedHereAreReadAgain) {
  int double_rons = 0, nine_terminals = 0;
  for (uint64_t seed = 50; seed < 70; ++seed) {
    RuleSet rules;
    rules.red_fives = seed % 4 != 1;
    rules.open_tanyao = seed % 4 != 2;
    rules.length = seed % 4 == 3 ? Length::East : Length::South;
    const Record record = played(rules, seed);
    double_rons += has_double_ron(record);
    nine_terminals += is_drawn_by(record, DrawKind::NineTerminals);
    expect_round_trip_by_mjai(record);
    expect_round_trip_by_tenhou_json(record);
    const RecordCheck mjai = check_record(read_record_text(write_mjai(record), "mjai"));
    expect_nothing_different(mjai, record.source);
    EXPECT_EQ(mjai.walls, mjai.rounds);
    EXPECT_GT(mjai.rounds, 0);
    expect_nothing_different(check_record(read_record_text(write_tenhou_json(record), "json")),
                             record.source);
  }
  EXPECT_GT(double_rons, 0);
  EXPECT_GT(nine_terminals, 0);
}

TEST(WriteRecord, EveryDrawHasItsName) {
  for (auto i = static_cast<int>(DrawKind::Exhaustive); i <= static_cast<int>(DrawKind::TripleRon);
       ++i) {
    const auto kind = static_cast<DrawKind>(i);
    EXPECT_EQ(draw_kind_of_mjai(mjai_reason_of(kind)), kind) << name_of(kind);
    EXPECT_EQ(draw_kind_of_tenhou(tenhou_name_of(kind)), kind) << name_of(kind);
  }
  EXPECT_EQ(mjai_reason_of(DrawKind::Unspecified), "");
  EXPECT_EQ(draw_kind_of_mjai("rain"), DrawKind::Unspecified);
}

TEST(WriteRecord, AWallThatIsNotTheSeedsIsFound) {
  struct Row {
    std::string seed;
    bool known;  // whether walls are compared
    std::string difference;
  };
  const Row kRows[] = {{"ippatsu:7", true, ""},
                       {"ippatsu:8", true, "the wall has"},
                       {"ippatsu:x", false, "'x' is not a number of 64 bits"},
                       {"ippatsu:99999999999999999999", false, "is not a number of 64 bits"},
                       {"mt19937ar-sha512-n288-base64,AAAA", false, "has 4 letters"},
                       {"", false, ""},
                       {"another:7", false, ""}};
  Record record = played(RuleSet{}, 7);
  for (const Row& row : kRows) {
    std::get<StartGame>(record.events[0].event).wall_seed = row.seed;
    const RecordCheck check = check_record(record);
    EXPECT_EQ(check.walls > 0, row.known) << row.seed;
    if (row.difference.empty())
      expect_nothing_different(check, row.seed);
    else
      EXPECT_THAT(check.differences.at(0).what, HasSubstr(row.difference)) << row.seed;
  }
}

TEST(WriteRecord, WhatTenhouJsonCannotHoldIsToldWithItsPlace) {
  const Record one = read_record("tests/records/open-kan.mjai.jsonl");
  const auto changed = [&](const auto& change) {
    Record record = one;
    record.source = "x";
    change(record.events);
    return record;
  };
  struct Row {
    Record record;
    std::string error;
  };
  using Events = std::vector<RecordedEvent>;
  const Row kRows[] = {
      {changed([&](Events& e) { e.insert(e.end(), one.events.begin(), one.events.end()); }),
       "x: line 1: another game begins"},
      {changed([](Events& e) { e.pop_back(); }), "x: the record does not end"},
      {changed([](Events& e) { e.clear(); }), "x: the record does not end"},
      {changed([](Events& e) { e.erase(e.begin()); }), "x: line 2: "},
      {changed([](Events& e) { e.erase(e.begin() + 2); }), "x: line 4: "},
      {changed([](Events& e) { std::get<StartRound>(e[1].event).number = 2; }),
       "x: line 2: seat 0 deals round 2"}};
  for (const Row& row : kRows) try {
      write_tenhou_json(row.record);
      ADD_FAILURE() << "no error, but wanted: " << row.error;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::StartsWith(row.error));
    }
}

}  // namespace
}  // namespace ippatsu::mahjong
