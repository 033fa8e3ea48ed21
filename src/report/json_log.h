#pragma once

// The log of a run as JSON lines: one object a line, on the disk's side of the process before the
// next step begins, so that a killed run loses at most the line it was writing.
//
//     JsonLog log("run/log.jsonl");
//     log.write({{"step", 1}, {"loss", 3.5}});
//     ...
//     auto loss = values_of(read_json_log("run/log.jsonl"), "loss");

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace ippatsu::report {

using JsonObject = nlohmann::ordered_json;  // keeps the order in which keys were written

class JsonLog {
 public:
  // Starts a log, replacing one that is there. Fails if the file cannot be written.
  explicit JsonLog(const std::filesystem::path& path);

  // Continues a log after `last_step`: drops the first line whose "step" is greater and all that
  // follow it, and a last line that was cut short. A missing file starts a new log. Fails, leaving
  // the file as it is, where it is not a JSON lines log.
  static JsonLog resume(const std::filesystem::path& path, int64_t last_step);

  // Appends one line. NaN and the infinities, which JSON lacks, become null; bytes that are not
  // UTF-8 become U+FFFD. Fails if the file cannot be written.
  void write(const JsonObject& line);

 private:
  JsonLog(const std::filesystem::path& path, std::ios::openmode mode);

  std::filesystem::path path_;
  std::ofstream file_;
};

// Every line of a log. A last line without its newline that is not whole is passed over; any other
// line that is not a JSON object is an error which names the line.
std::vector<JsonObject> read_json_log(const std::filesystem::path& path);

struct StepValue {
  int64_t step;
  double value;
};

// The values under `key` with the steps they belong to, in the order of the lines. Lines without
// an integer "step" or without the key are passed over; null is NaN; what is no number is an error.
std::vector<StepValue> values_of(const std::vector<JsonObject>& lines, std::string_view key);

}  // namespace ippatsu::report
