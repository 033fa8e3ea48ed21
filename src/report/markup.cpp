#include "report/markup.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace ippatsu::report {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr char32_t kInvalid = 0xFFFFFFFF;

struct Character {
  char32_t code;  // kInvalid where the bytes are not UTF-8
  size_t length;  // in bytes, at least one
};

struct Interval {
  char32_t first, last;
};

template <size_t N>
bool within(const Interval (&intervals)[N], char32_t code) {
  return std::any_of(std::begin(intervals), std::end(intervals),
                     [&](Interval i) { return i.first <= code && code <= i.last; });
}

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
Character first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {kInvalid, 1};
  char32_t code = lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {kInvalid, 1};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || surrogate || code > 0x10FFFF) return {kInvalid, 1};
  return {code, length};
}

bool allowed_in_xml(char32_t code) {
  constexpr Interval kAllowed[] = {{0x09, 0x0A},       {0x0D, 0x0D},       {0x20, 0x7E},
                                   {0xA0, 0xD7FF},     {0xE000, 0xFDCF},   {0xFDF0, 0xFFFD},
                                   {0x10000, 0x1FFFD}, {0x20000, 0x10FFFF}};
  return within(kAllowed, code);
}

std::string_view reference(char32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

// Combining marks, zero-width characters and variation selectors of Unicode 15.
constexpr Interval kZeroWidth[] = {
    {0x300, 0x36F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}};

// The blocks that Unicode Annex 11 calls wide or full-width.
constexpr Interval kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},  {0x3041, 0xA4CF},
                              {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE6F},
                              {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F000, 0x1F02F},
                              {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};

}  // namespace

std::string escape(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const auto [code, length] = first_character(text);
    if (const auto replaced = reference(code); !replaced.empty())
      escaped += replaced;
    else
      escaped += allowed_in_xml(code) ? text.substr(0, length) : kReplacement;
    text.remove_prefix(length);
  }
  return escaped;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const auto [code, length] = first_character(text);
    valid += code == kInvalid ? kReplacement : text.substr(0, length);
    text.remove_prefix(length);
  }
  return valid;
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const auto [code, length] = first_character(text);
    width += within(kZeroWidth, code) ? 0 : within(kWide, code) ? 2 : 1;
    text.remove_prefix(length);
  }
  return width;
}

}  // namespace ippatsu::report
