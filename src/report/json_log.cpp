#include "report/json_log.h"

#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/file.h"

namespace ippatsu::report {

namespace {

namespace fs = std::filesystem;

std::optional<int64_t> step_of(const JsonObject& line) {
  const auto step = line.find("step");
  if (step == line.end() || !step->is_number_integer()) return std::nullopt;
  return step->get<int64_t>();
}

struct Line {
  size_t offset;  // of its first byte in the file
  JsonObject content;
};

// nullopt: the text is a JSON object that was cut short, or nothing at all.
std::optional<JsonObject> parse_line(std::string_view text, bool whole, size_t number) {
  if (text.empty() && !whole) return std::nullopt;
  auto content = JsonObject::parse(text, nullptr, /*allow_exceptions=*/false);
  if (content.is_object()) return content;
  if (!whole) return std::nullopt;
  fail("line {} is not a JSON object", number);
}

std::vector<Line> parse_lines(std::string_view text) {
  std::vector<Line> lines;
  size_t offset = 0;
  while (offset < text.size()) {
    const size_t newline = text.find('\n', offset);
    const bool whole = newline != std::string_view::npos;
    const auto line = text.substr(offset, whole ? newline - offset : std::string_view::npos);
    if (auto content = parse_line(line, whole, lines.size() + 1))
      lines.push_back({offset, std::move(*content)});
    offset += line.size() + 1;
  }
  return lines;
}

std::vector<Line> parse_file(const fs::path& path, std::string_view text) {
  try {
    return parse_lines(text);
  } catch (const Error& error) {
    throw error.within(path.string());
  }
}

// The part of a log that a run resumed after `last_step` keeps: whole lines, none of a later step.
std::string kept_part(const fs::path& path, int64_t last_step) {
  std::string text = read_file(path);
  text.resize(text.rfind('\n') + 1);  // npos + 1 is 0: no line is whole
  for (const auto& [offset, content] : parse_file(path, text))
    if (step_of(content).value_or(last_step) > last_step) {
      text.resize(offset);
      break;
    }
  return text;
}

}  // namespace

JsonLog::JsonLog(const fs::path& path, std::ios::openmode mode)
    : path_(path), file_(path, mode | std::ios::binary) {
  if (!file_) fail("{}: cannot open the log for writing", path.string());
}

JsonLog::JsonLog(const fs::path& path) : JsonLog(path, std::ios::trunc) {}

JsonLog JsonLog::resume(const fs::path& path, int64_t last_step) {
  if (fs::exists(path)) write_file_atomically(path, kept_part(path, last_step));
  return JsonLog(path, std::ios::app);
}

void JsonLog::write(const JsonObject& line) {
  const auto text = line.dump(-1, ' ', false, JsonObject::error_handler_t::replace) + '\n';
  file_.write(text.data(), static_cast<std::streamsize>(text.size()));
  file_.flush();
  if (!file_) fail("{}: cannot write the log; is the disk full?", path_.string());
}

std::vector<JsonObject> read_json_log(const fs::path& path) {
  std::vector<JsonObject> lines;
  const std::string text = read_file(path);
  for (auto& line : parse_file(path, text)) lines.push_back(std::move(line.content));
  return lines;
}

std::vector<StepValue> values_of(const std::vector<JsonObject>& lines, std::string_view key) {
  std::vector<StepValue> values;
  for (const auto& line : lines) {
    const auto step = step_of(line);
    const auto value = line.find(std::string(key));
    if (!step || value == line.end()) continue;
    if (!value->is_number() && !value->is_null())
      fail("step {}: \"{}\" is {}, not a number", *step, key, value->type_name());
    values.push_back({*step, value->is_null() ? std::numeric_limits<double>::quiet_NaN()
                                              : value->get<double>()});
  }
  return values;
}

}  // namespace ippatsu::report
