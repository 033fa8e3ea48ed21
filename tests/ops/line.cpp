#include "line.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "base/error.h"

namespace ippatsu::optest {

namespace {

void read_file_lines(const std::filesystem::path& path, std::vector<Line>& lines) {
  std::ifstream file(path);
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    const size_t start = text.find_first_not_of(" \t");
    if (start == std::string::npos || text[start] == '#') continue;
    lines.push_back({path.filename().string(), number, text.substr(start)});
  }
}

// Pieces between separators that stand outside of brackets and quotes.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{' || c == '(')) ++depth;
    if (!quoted && (c == ']' || c == '}' || c == ')')) --depth;
    if (c == separator && depth == 0 && !quoted) {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  if (depth != 0 || quoted) fail("a bracket or a quote is left open in `{}`", text);
  std::erase(pieces, "");
  return pieces;
}

}  // namespace

std::string Line::op() const { return text.substr(0, text.find_first_of(" \t")); }

std::vector<Line> read_lines(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
    if (entry.path().extension() == ".optest") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Line> lines;
  for (const auto& file : files) read_file_lines(file, lines);
  return lines;
}

std::vector<std::string> split_words(std::string_view text) { return split(text, ' '); }

std::vector<std::string> split_items(std::string_view bracketed) {
  if (bracketed.size() < 2) fail("`{}` is not a list", bracketed);
  return split(bracketed.substr(1, bracketed.size() - 2), ',');
}

double parse_double(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  const std::string copy(text);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0') fail("`{}` is not a number", text);
  return number;
}

bool is_integer(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

int64_t parse_integer(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    fail("`{}` is not an integer", text);
  return number;
}

// Fowler, Noll and Vo's hash, 64 bits, variant 1a.
uint64_t stable_hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace ippatsu::optest
