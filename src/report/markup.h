#pragma once

// Any bytes as text inside XML or HTML.

#include <string>
#include <string_view>

namespace ippatsu::report {

// `text` safe in an element or a quoted attribute of XML and HTML: & < > " ' as references. Bytes
// that are not UTF-8 and characters that XML 1.0 forbids (section 2.2) become U+FFFD.
std::string escape(std::string_view text);

// Cells of a terminal that `text` fills: one per character, two for East Asian wide ones, none for
// combining marks. Bytes that are not UTF-8 count as one each.
int display_width(std::string_view text);

}  // namespace ippatsu::report
