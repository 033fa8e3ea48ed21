#include "analysis/query.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/present.h"
#include "base/error.h"
#include "records/json_fields.h"
#include "records/read_record.h"

namespace ippatsu::analysis {

using namespace mahjong;
using nlohmann::ordered_json;

namespace {

constexpr const char* kInline = "record";  // the source's name where the question holds the record

// What is wrong with a question, and with which of its fields.
struct Refusal {
  std::string field;
  std::string message;
};

// What is parsed here may be written again as text, which goes as deep as it is nested.
constexpr int kDeepest = 32;

bool shallow(int depth, Json::parse_event_t /*event*/, const Json& /*parsed*/) {
  if (depth > kDeepest) fail("is nested more than {} deep", kDeepest);
  return true;
}

Json parse_question(std::string_view text) {
  try {
    return Json::parse(text.begin(), text.end(), shallow);
  } catch (const Json::parse_error& error) {
    fail("is not JSON: it breaks at byte {} of {}", error.byte, text.size());
  } catch (const Json::exception& error) {
    fail("is not JSON: {}", error.what());
  }
}

// Runs `read`, which reads the field.
template <typename Read>
auto of_field(const char* field, const Read& read) {
  try {
    return read();
  } catch (const NotInRecord& error) {
    throw Refusal{std::string(error.option()), error.what()};
  } catch (const std::exception& error) {
    throw Refusal{field, error.what()};
  }
}

std::string text_of(const Json& event) {
  return event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A record as a question holds it: mjai events in a list, a Tenhou game as an object, or any format
// as a text.
Record inline_record(const Json& value) {
  if (value.is_string()) return read_record_text(value.get_ref<const std::string&>(), kInline);
  if (value.is_object()) return read_tenhou_json(text_of(value), kInline);
  if (!value.is_array()) fail("must be a list of events, an object or a text");
  std::string lines;
  for (const Json& event : value) lines += text_of(event) + "\n";
  return read_mjai(lines, kInline);
}

Record record_of(const Json& question) {
  const Json* path = optional_field(question, "path");
  const Json* record = optional_field(question, kInline);
  if (!path == !record) throw Refusal{kInline, "one of 'record' and 'path' is wanted"};
  if (record) return of_field(kInline, [&] { return inline_record(*record); });
  return of_field("path", [&] { return read_record(std::string(text(*path, "path"))); });
}

std::vector<size_t> turns_of(const Json& value) {
  std::vector<size_t> turns;
  for (const Json& turn : list(value, "turns", 0, kMostTurns))
    turns.push_back(static_cast<size_t>(integer(turn, "turns", 0, kMostTurns)));
  return turns;
}

double probability(const Json& value) {
  if (!value.is_number()) fail("must be a number");
  const auto number = value.get<double>();
  if (!(number >= 0 && number <= 1)) fail("must be from 0 to 1");
  return number;
}

AnalysisOptions options_of(const Json& question, AnalysisOptions options) {
  const auto read = [&](const char* name, const auto& store) {
    if (const Json* value = optional_field(question, name)) of_field(name, [&] { store(*value); });
  };
  read("turns", [&](const Json& value) { options.turns = turns_of(value); });
  read("seat", [&](const Json& value) { options.seat = seat(value, "seat"); });
  read("bad_below", [&](const Json& value) { options.bad_below = probability(value); });
  read("game", [&](const Json& value) {
    options.game = static_cast<int>(integer(value, "game", 1, kMostTurns)) - 1;
  });
  return options;
}

void require_known_fields(const Json& question) {
  constexpr std::array kFields = {"id", "record", "path", "turns", "seat", "bad_below", "game"};
  for (const auto& [name, value] : question.items())
    if (std::ranges::find(kFields, name) == kFields.end())
      throw Refusal{name, "is no field of a question"};
}

// What the analysis itself finds wrong is the record's fault, unless it is told to be an option's.
ordered_json analysed(const Json& question, std::span<Adviser* const> advisers,
                      const AnalysisOptions& defaults) {
  require_known_fields(question);
  const AnalysisOptions options = options_of(question, defaults);
  const Record record = record_of(question);
  const char* blamed = question.contains(kInline) ? kInline : "path";
  return of_field(blamed, [&] { return to_json(analyse(record, advisers, options)); });
}

ordered_json refusal(const Refusal& refusal) {
  return {{"error", {{"field", refusal.field}, {"message", refusal.message}}}};
}

ordered_json id_of(const Json& question) {
  const Json* id = question.is_object() ? optional_field(question, "id") : nullptr;
  if (!id || !(id->is_number() || id->is_string()))
    throw Refusal{"id", "a question is an object with an 'id', a number or a text"};
  return *id;
}

}  // namespace

std::string answer(std::string_view question, std::span<Adviser* const> advisers,
                   const AnalysisOptions& defaults) {
  ordered_json answer{{"id", nullptr}};
  try {
    const Json parsed = of_field("", [&] { return parse_question(question); });
    answer["id"] = id_of(parsed);
    answer.update(analysed(parsed, advisers, defaults));
  } catch (const Refusal& refused) {
    answer.update(refusal(refused));
  }
  return answer.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace ippatsu::analysis
