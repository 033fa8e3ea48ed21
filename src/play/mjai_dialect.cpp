#include "play/mjai_dialect.h"

namespace ippatsu::play {

namespace {

using nlohmann::ordered_json;

constexpr MjaiDialectRow kDialects[] = {
    {MjaiDialect::Lines, "lines", "mjai:", "answers every event"},
    {MjaiDialect::Lists, "lists", "mjai-list:", "gets lists of events, as at mjai.app"},
    {MjaiDialect::Quiet, "quiet", "mjai-quiet:", "answers only where it can act, as Mortal does"},
};

std::string text_of(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::span<const MjaiDialectRow> mjai_dialects() { return kDialects; }

std::vector<MjaiLine> mjai_lines(std::vector<ordered_json> events, MjaiDialect dialect,
                                 bool asked) {
  if (dialect == MjaiDialect::Lists) return {{text_of(events), 1}};
  std::vector<MjaiLine> lines;
  for (ordered_json& event : events) {
    const bool question = asked && &event == &events.back();
    if (dialect == MjaiDialect::Quiet && !question) event["can_act"] = false;
    lines.push_back({text_of(event), dialect == MjaiDialect::Lines || question ? 1 : 0});
  }
  return lines;
}

}  // namespace ippatsu::play
