#include "analysis/query.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/plain_advisers.h"
#include "analysis/present.h"
#include "base/file.h"

namespace ippatsu::analysis {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kTenhou = "tests/records/open-kan.json";
constexpr const char* kMjai = "tests/records/open-kan.mjai.jsonl";

json ask(const std::string& question) {
  RulesOfThumb adviser;
  Adviser* const advisers[] = {&adviser};
  const std::string line = answer(question, advisers, {});
  EXPECT_EQ(line.find('\n'), line.npos);
  return json::parse(line);
}

json ask(const json& question) { return ask(question.dump()); }

json events() {
  json all = json::array();
  std::istringstream lines(read_file(kMjai));
  for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
  return all;
}

TEST(Query, TakesARecordInEveryForm) {
  const json by_path = ask({{"id", "a"}, {"path", kTenhou}});
  EXPECT_EQ(by_path["id"], "a");
  EXPECT_EQ(by_path["schema"], kSchema);
  const json records[] = {json::parse(read_file(kTenhou)), read_file(kTenhou), events()};
  for (const json& record : records) {
    const json found = ask({{"id", 7}, {"record", record}});
    EXPECT_EQ(found["id"], 7);
    EXPECT_EQ(found["turns"].size(), by_path["turns"].size());
    EXPECT_EQ(found["turns"][3]["opinions"], by_path["turns"][3]["opinions"]);
  }
}

TEST(Query, AnswersWithTheTurnsThatAreAskedFor) {
  const json found = ask({{"id", 1}, {"path", kTenhou}, {"turns", {4, 2}}});
  ASSERT_EQ(found["turns"].size(), 2U);
  EXPECT_EQ(found["turns"][0]["turn"], 2);
  for (const json& turn : found["turns"]) {
    EXPECT_EQ(turn["opinions"][0]["probabilities"].size(), turn["legal"].size());
    EXPECT_EQ(turn["risk_percent"].size(), turn["legal"].size());
  }
  const json own = ask({{"id", 1}, {"path", kTenhou}, {"seat", 3}, {"bad_below", 1}});
  EXPECT_EQ(own["verdicts"].size(), 1U);
  EXPECT_EQ(own["verdicts"][0]["bad"].size(), own["turns"].size());
}

TEST(Query, TellsWhichFieldIsWrong) {
  const auto field = [](const json& question) { return ask(question)["error"]["field"]; };
  EXPECT_EQ(field({{"id", 1}}), "record");
  EXPECT_EQ(field({{"id", 1}, {"path", kTenhou}, {"record", "x"}}), "record");
  EXPECT_EQ(field({{"id", 1}, {"path", "missing"}}), "path");
  EXPECT_EQ(field({{"id", 1}, {"path", 7}}), "path");
  EXPECT_EQ(field({{"id", 1}, {"record", 7}}), "record");
  EXPECT_EQ(field({{"id", 1}, {"record", json::array({1})}}), "record");
  EXPECT_EQ(field({{"id", 1}, {"path", kTenhou}, {"turns", 7}}), "turns");
  EXPECT_EQ(field({{"id", 1}, {"path", kTenhou}, {"turns", {-1}}}), "turns");
  EXPECT_EQ(field({{"id", 1}, {"path", kTenhou}, {"turns", {19'999}}}), "turns");
  EXPECT_EQ(field({{"id", 1}, {"path", kTenhou}, {"seat", 4}}), "seat");
  EXPECT_EQ(field({{"id", 1}, {"path", kTenhou}, {"bad_below", 2}}), "bad_below");
  EXPECT_EQ(field({{"id", 1}, {"path", kTenhou}, {"game", 2}}), "game");
  EXPECT_EQ(field({{"id", 1}, {"path", kTenhou}, {"sead", 1}}), "sead");
  EXPECT_EQ(field({{"id", {1}}, {"path", kTenhou}}), "id");
  EXPECT_EQ(field({{"path", kTenhou}}), "id");
}

TEST(Query, KeepsTheIdOfWhatItRefuses) {
  EXPECT_EQ(ask({{"id", "x"}, {"path", "missing"}})["id"], "x");
  for (const char* text : {"nonsense", "[]", "7", "{", "\"a\"", "{\"id\": 1e999}", "\xff\xfe"}) {
    const json refused = ask(std::string(text));
    EXPECT_TRUE(refused["id"].is_null()) << text;
    EXPECT_TRUE(refused["error"]["message"].is_string()) << text;
  }
}

// As deep as a line is long; what is read depth first must not end by a signal.
TEST(Query, IsNotBroughtDownByDepth) {
  const std::string deep(200'000, '[');
  EXPECT_THAT(ask(deep)["error"]["message"], HasSubstr("deep"));
  const std::string closed = deep + std::string(deep.size(), ']');
  EXPECT_TRUE(ask(closed).contains("error"));
  const json found = ask(R"({"id": 1, "record": )" + closed + "}");
  EXPECT_THAT(found["error"]["message"], HasSubstr("deep"));
}

}  // namespace
}  // namespace ippatsu::analysis
