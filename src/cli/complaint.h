#pragma once

// What is wrong with a record file, for people and for programs.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ippatsu::cli {

struct Complaint {
  std::string file;
  std::string where;  // "line 7"; empty where the whole file is meant
  std::string message;
};

// Takes a reader's "file: line 7: message" apart.
Complaint complaint_of(const std::string& file, std::string_view message);

// "file: line 7: message" in one line: a broken file may put any bytes into its message, and a
// terminal would obey some.
std::string text_of(const Complaint& complaint);

// A list of {file, where, message}.
nlohmann::ordered_json json_of(const std::vector<Complaint>& complaints);

// Prints it as JSON, whatever bytes it holds.
void print(const nlohmann::ordered_json& result);

}  // namespace ippatsu::cli
