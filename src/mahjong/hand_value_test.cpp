#include "mahjong/hand_value.h"

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "mahjong/win_line.h"

namespace ippatsu::mahjong {
namespace {

struct Row {
  std::string win, worth;
};

std::vector<Row> rows_of(const std::string& path) {
  constexpr std::string_view kArrow = " => ";
  std::vector<Row> rows;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const size_t arrow = line.find(kArrow);
    if (arrow == std::string::npos) fail("{}: '{}' has no arrow", path, line);
    rows.push_back({line.substr(0, arrow), line.substr(arrow + kArrow.size())});
  }
  return rows;
}

void expect_worth(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const WinLine win = win_from_line(row.win);
    EXPECT_EQ(worth(win), row.worth) << row.win;
    EXPECT_EQ(has_yaku(win.hand, win.rules), row.worth != "nothing") << row.win;
  }
}

TEST(HandValue, WinsAreWorthWhatTheyShould) { expect_worth(rows_of("tests/mahjong/wins.txt")); }

TEST(HandValue, AgreesWithAnIndependentProgram) {
  const std::vector<Row> rows = rows_of("tests/mahjong/wins_golden.txt");
  expect_worth(rows);
  EXPECT_GT(rows.size(), 1000U);
}

TEST(HandValue, TheLinesHaveEachYaku) {
  std::set<Yaku> seen;
  for (const Row& row : rows_of("tests/mahjong/wins.txt")) {
    const WinLine win = win_from_line(row.win);
    if (const auto value = hand_value(win.hand, win.rules))
      for (const YakuHan& yaku : value->yaku) seen.insert(yaku.yaku);
  }
  for (const YakuRow& row : yaku_table())
    EXPECT_EQ(seen.contains(row.yaku), row.yaku != Yaku::Renhou) << row.name;
}

TEST(HandValue, FuAreTheSumOfTheirParts) {
  for (const Row& row : rows_of("tests/mahjong/wins.txt")) {
    const WinLine win = win_from_line(row.win);
    const auto value = hand_value(win.hand, win.rules);
    if (!value) continue;
    const FuParts& fu = value->fu_parts;
    const int sum =
        fu.base + fu.closed_ron + fu.tsumo + fu.wait + fu.pair + fu.sets + fu.open_pinfu;
    if (sum == 25)
      EXPECT_EQ(value->fu, 25) << row.win;
    else
      EXPECT_EQ(value->fu, (sum + 9) / 10 * 10) << row.win;
  }
}

TEST(YakuTable, RowsStandByNumberAndNamesAreUnique) {
  std::set<std::string_view> names, japanese;
  int number = 0;
  for (const YakuRow& row : yaku_table()) {
    EXPECT_EQ(static_cast<int>(row.yaku), number++) << row.name;
    EXPECT_EQ(&row_of(row.yaku), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(japanese.insert(row.japanese).second) << row.name;
    EXPECT_EQ(row.holds == nullptr, row.rank == YakuRank::Bonus) << row.name;
    EXPECT_EQ(row.is_yakuman(), row.han_closed == kYakumanHan) << row.name;
    EXPECT_LE(row.han_open, row.han_closed) << row.name;
  }
  EXPECT_EQ(number, kYakuCount);
}

TEST(WinLines, WhatIsWrongIsSaid) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"EX ron 123m+4m", "'X' is no wind"},
      {"ES ron 123m", "'123m' says nothing"},
      {"ES ron pon:11z", "'11z' are not the 3 tiles of a meld"},
      {"ES pao:maybe", "a rule is 'on' or 'off', not 'maybe'"},
      {"ES honba:x", "'x' is no number"},
  };
  for (const auto& [line, message] : rows) {
    try {
      win_from_line(line);
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), std::string(line) + ": " + std::string(message));
    }
  }
}

}  // namespace
}  // namespace ippatsu::mahjong
