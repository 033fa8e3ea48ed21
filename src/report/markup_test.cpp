#include "report/markup.h"

#include <gtest/gtest.h>

namespace ippatsu::report {

TEST(Markup, TextIsEscapedAndCleaned) {
  struct Case {
    std::string_view text, escaped;
  };
  const Case cases[] = {
      {"", ""},
      {"a<b & \"c\" > 'd'", "a&lt;b &amp; &quot;c&quot; &gt; &#39;d&#39;"},
      {"</script><!-- ]]>", "&lt;/script&gt;&lt;!-- ]]&gt;"},
      {"一発 × é 🀄", "一発 × é 🀄"},
      {"tab\tline\n", "tab\tline\n"},
      {std::string_view("\0\x01\x1b\x7f", 4), "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\xff", "\uFFFD"},
      {"\xc0\xaf", "\uFFFD\uFFFD"},                      // an overlong slash
      {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},            // a surrogate
      {"\xf4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // above U+10FFFF
      {"\xe4\xb8", "\uFFFD\uFFFD"},                      // cut short
      {"\xef\xbf\xbe", "\uFFFD"},                        // U+FFFE
  };
  for (const auto& [text, escaped] : cases) EXPECT_EQ(escape(text), escaped);
}

TEST(Markup, OnlyWhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(valid_utf8("一\xff<\x01"), "一\uFFFD<\x01");
  EXPECT_EQ(valid_utf8(""), "");
}

TEST(Markup, WidthCountsTerminalCells) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("1.5×"), 4);
  EXPECT_EQ(display_width("一発"), 4);
  EXPECT_EQ(display_width("e\xCC\x81"), 1);
  EXPECT_EQ(display_width("\xff\xff"), 2);
}

}  // namespace ippatsu::report
