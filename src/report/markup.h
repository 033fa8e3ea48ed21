#pragma once

// Any bytes as text: in XML and HTML, in UTF-8, on a terminal.

#include <string>
#include <string_view>

namespace ippatsu::report {

// `text` safe in an element or a quoted attribute of XML and HTML: & < > " ' as references. Bytes
// that are not UTF-8 and characters that XML 1.0 forbids (section 2.2) become U+FFFD.
std::string escape(std::string_view text);

// `text` with U+FFFD in place of each byte that is not UTF-8.
std::string valid_utf8(std::string_view text);

// Cells of a terminal that `text` fills: one per character, two for East Asian wide ones, none for
// combining marks. Bytes that are not UTF-8 count as one each.
int display_width(std::string_view text);

}  // namespace ippatsu::report
