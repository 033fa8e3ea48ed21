#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ippatsu::report {

namespace {
using testing::HasSubstr;
using testing::Not;
}  // namespace

TEST(Html, EachBlockIsThere) {
  const std::string page = html(
      {.title = "Title",
       .subtitle = "Subtitle",
       .summary = {Figures{{{"1.5×", "faster", "than before"}}}},
       .sections = {{"Heading",
                     {Paragraph{"Some words."}, Table{.columns = {{"column"}}, .rows = {{"cell"}}},
                      Chart{.title = "Picture"}, KeyValues{{{"cores", "2"}}},
                      Callout{Tone::Warning, "trouble", "A fault", {{{"where", "here"}}}}}}},
       .footer = "The end."});
  for (const char* part :
       {"<title>Title</title>", "<h1>Title</h1>", "<p>Subtitle</p>",
        "<b>1.5×<small>faster</small></b><span>than before</span>", "<h2>Heading</h2>",
        "<p>Some words.</p>", "<td>cell</td>", "<title>Picture</title>", "<dt>cores</dt><dd>2</dd>",
        "<h3><small>trouble</small>A fault</h3>", "<dt>where</dt><dd>here</dd>",
        "<footer>The end.</footer>"})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST(Html, TextStaysText) {
  const std::string bad = "<script>alert(1)</script>";
  const std::string page =
      html({.title = bad,
            .subtitle = bad,
            .summary = {Figures{{{bad, bad, bad}}}, Paragraph{bad},
                        Table{.caption = bad, .columns = {{bad, bad}}, .rows = {{bad}}},
                        Chart{.title = bad, .x = {bad}, .y = {bad}}, KeyValues{{{bad, bad}}},
                        Callout{Tone::Plain, bad, bad, {{{bad, bad}}}}},
            .sections = {{bad, {}}},
            .footer = bad});
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
}

}  // namespace ippatsu::report
