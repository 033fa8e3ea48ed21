#pragma once

// The lines of .optest files. A line is one call of one operator and what is asked of it:
//
//     aten::mean.dim  bf16[8,128] dim=[-1] keepdim=false  rtol=1e-2
//
// README.md beside this file has the whole notation.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ippatsu::optest {

struct Line {
  std::string file;  // "reduction.optest"
  int number = 0;
  std::string text;

  std::string op() const;  // its first word
};

// Every line of every .optest file in the folder that is neither empty nor a comment.
std::vector<Line> read_lines(const std::filesystem::path& folder);

// Splits at blanks that are outside of brackets and quotes.
std::vector<std::string> split_words(std::string_view text);

// "[1,2,3]" or "{1,2,3}" as its items, split at commas that are outside of inner brackets.
std::vector<std::string> split_items(std::string_view bracketed);

// Numbers as C++ spells them, with true, false, nan and inf. Fails when the text is anything else.
double parse_double(std::string_view text);
int64_t parse_integer(std::string_view text);
bool is_integer(std::string_view text);

// A number that stays the same from run to run and from machine to machine.
uint64_t stable_hash(std::string_view text);

}  // namespace ippatsu::optest
