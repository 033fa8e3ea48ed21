#include "play/mjai_bot.h"

#include "base/error.h"
#include "records/json_fields.h"
#include "records/mjai_choice.h"

namespace ippatsu::play {

using namespace mahjong;
using nlohmann::ordered_json;

namespace {

bool may_act(const Json& event) {
  const Json* can_act = optional_field(event, "can_act");
  return !can_act || flag(*can_act, "can_act");
}

bool says(const Json& event, std::string_view type) {
  return text(field(event, "type"), "type") == type;
}

// The tile that lies there is still the one that seats were asked about.
bool leaves_tile(const Event& event) {
  return std::holds_alternative<Dora>(event) || std::holds_alternative<RiichiAccepted>(event);
}

}  // namespace

std::optional<std::string> MjaiBot::react(std::string_view line) {
  const std::optional<ordered_json> answer = react_to(parse_json(line));
  return answer ? std::optional(answer->dump()) : std::nullopt;
}

std::optional<ordered_json> MjaiBot::react_to(const Json& told) {
  const bool lists = dialect_ == MjaiDialect::Lists;
  if (lists && (!told.is_array() || told.empty())) fail("is no list of events");
  if (!lists && told.is_array()) fail("is a list of events, as in the dialect 'lists'");
  if (lists)
    for (const Json& event : told) hear(event);
  else
    hear(told);
  const Json& last = lists ? told.back() : told;
  if (says(last, "hello"))
    return ordered_json{{"type", "join"}, {"name", player_.name()}, {"room", "default"}};
  if (may_act(last) && is_asked()) return choose();
  if (dialect_ == MjaiDialect::Quiet) return std::nullopt;
  return ordered_json{{"type", "none"}};
}

void MjaiBot::hear(const Json& event) {
  if (says(event, "hello")) return;
  if (says(event, "error")) fail("the other side reports an error: {}", event.dump());
  if (says(event, "start_game")) return start_game(event);
  if (events_.empty()) fail("comes before a start_game");
  apply(reader_.read(event));
}

void MjaiBot::start_game(const Json& event) {
  if (const Json* id = optional_field(event, "id")) seat_ = seat(*id, "id");
  if (!seat_) fail("start_game: 'id' does not tell which seat is played, and nor did --seat");
  reader_ = MjaiEventReader(*seat_);
  table_ = Table::seen_by(*seat_);
  events_.clear();
  apply(reader_.read(event));
  if (table_.rules().players != kSeats)
    fail("start_game: a game of {} cannot be played, only one of 4", table_.rules().players);
}

void MjaiBot::apply(const Event& event) {
  table_.apply(event);
  events_.push_back(event);
  answered_ = answered_ && leaves_tile(event);
  if (!std::holds_alternative<EndGame>(event)) return;
  player_.end_game(game_++, events_);
  events_.clear();
}

bool MjaiBot::is_asked() const {
  return !events_.empty() && !answered_ && table_.phase() != Phase::Won &&
         !table_.legal(*seat_).empty();
}

ordered_json MjaiBot::choose() {
  const ActionSet& legal = table_.legal(*seat_);
  Answer answer{.action = legal.nth(0)};
  const Question question{.table = &table_, .seat = *seat_, .game = game_, .events = events_};
  if (legal.size() > 1) player_.answer({&question, 1}, {&answer, 1});
  if (!answer.fault.empty()) fail("{}", answer.fault);
  answered_ = true;
  return mjai_of_choice(table_, *seat_, answer.action);
}

}  // namespace ippatsu::play
