#include "report/table.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ippatsu::report {

namespace {

using testing::HasSubstr;
using testing::Not;

Table devices() {
  return {.caption = "Speed",
          .columns = {{"device"}, {"speed", "samples/s", 1}, {"steps"}},
          .rows = {{"ours", 1892.43, 50.0},
                   {"一発", std::numeric_limits<double>::quiet_NaN()},
                   {"a < b", 7.0, 1234567.0, "spare"}}};
}

}  // namespace

TEST(Table, TextIsAlignedWithUnitsAndThousands) {
  EXPECT_EQ(text_table(devices()),
            "Speed\n"
            "device      speed      steps\n"
            "        samples/s\n"
            "──────  ─────────  ─────────\n"
            "ours      1,892.4         50\n"
            "一発            –\n"
            "a < b         7.0  1,234,567\n");
}

TEST(Table, HtmlHoldsTheSameDataEscaped) {
  const std::string html = html_table(devices());
  EXPECT_THAT(html, HasSubstr("<caption>Speed</caption>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\" class=\"number\">speed <small>samples/s</small>"));
  EXPECT_THAT(html, HasSubstr("<td>a &lt; b</td><td class=\"number\">7.0</td>"
                              "<td class=\"number\">1,234,567</td></tr>"));
  EXPECT_THAT(html, Not(HasSubstr("spare")));
}

TEST(Table, AnEmptyTableSaysSo) {
  EXPECT_EQ(text_table({.columns = {{"batch"}}}), "batch\n─────\n(no rows)\n");
  EXPECT_THAT(text_table({}), HasSubstr("(no rows)"));
  EXPECT_THAT(html_table({}), HasSubstr("(no rows)"));
}

TEST(Table, ControlCharactersDoNotReachTheTerminal) {
  EXPECT_EQ(text_table({.columns = {{"name"}}, .rows = {{"a\nb\x1b["}}}), "name\n─────\na b [\n");
}

}  // namespace ippatsu::report
