#include "play/mjai_player.h"

#include <algorithm>

#include "base/error.h"
#include "records/dora_order.h"
#include "records/json_fields.h"
#include "records/mjai_choice.h"
#include "records/mjai_event.h"

namespace ippatsu::play {

using namespace mahjong;

namespace {

constexpr size_t kLongestReason = 1000;  // it names all that is legal

const MjaiDialectRow* dialect_of(std::string_view name) {
  const auto rows = mjai_dialects();
  const auto row = std::ranges::find_if(
      rows, [&](const MjaiDialectRow& row) { return name.starts_with(row.prefix); });
  return row == rows.end() ? nullptr : &*row;
}

// A game of one against three needs three at once.
size_t processes_of(const BotOptions& options) {
  if (options.processes > 0) return options.processes;
  return std::max<size_t>(kSeats, std::thread::hardware_concurrency());
}

// The players of a game do not know each other by name; programs are used to there being some.
Event with_names(const Event& event) {
  Event named = event;
  if (auto* game = std::get_if<StartGame>(&named); game && game->names.empty())
    for (int seat = 0; seat < game->rules.players; ++seat)
      game->names.push_back(fmt::format("seat {}", seat));
  return named;
}

}  // namespace

bool MjaiPlayer::names(std::string_view name) { return dialect_of(name) != nullptr; }

MjaiPlayer::MjaiPlayer(std::string name, const BotOptions& options)
    : name_(std::move(name)),
      command_(name_.substr(dialect_of(name_)->prefix.size())),
      dialect_(dialect_of(name_)->dialect),
      seat_bound_(command_.find(kSeat) != command_.npos),
      timeout_(options.timeout),
      most_(processes_of(options)) {
  if (command_.find_first_not_of(' ') == command_.npos)
    fail("{} names no command (write {}COMMAND)", name_, name_);
}

void MjaiPlayer::answer(std::span<const Question> questions, std::span<Answer> answers) {
  std::vector<Sitting*> sittings;
  std::vector<BotProcess*> processes;
  for (const Question& question : questions) {
    Sitting& sitting = *sittings.emplace_back(&sitting_of(question));
    tell(sitting, question.events, question.table->rules(), true);
    processes.push_back(sitting.process.get());
  }
  converse(processes, timeout_);
  retry(questions, sittings);
  for (size_t i = 0; i < questions.size(); ++i) answers[i] = answer_of(questions[i], *sittings[i]);
}

// A program may take the end of a game for its own. One that has gone since its last game is
// replaced by a fresh one.
void MjaiPlayer::retry(std::span<const Question> questions, std::span<Sitting* const> sittings) {
  std::vector<BotProcess*> fresh;
  for (size_t i = 0; i < sittings.size(); ++i) {
    Sitting& sitting = *sittings[i];
    const bool gone = sitting.reused && sitting.process->gone();
    sitting.reused = false;
    if (!gone) continue;
    sitting.process = started(sitting.seat);
    sitting.told = 0;
    tell(sitting, questions[i].events, questions[i].table->rules(), true);
    fresh.push_back(sitting.process.get());
  }
  converse(fresh, timeout_);
}

Answer MjaiPlayer::answer_of(const Question& question, const Sitting& sitting) const {
  const BotProcess& process = *sitting.process;
  if (process.never_ran()) fail("{} cannot be run: its shell {}", name_, process.fault());
  std::string wrong = process.fault();
  if (wrong.empty()) try {
      return {.action =
                  choice_of_mjai(parse_json(process.answer()), *question.table, question.seat)};
    } catch (const Error& error) {
      wrong = fmt::format("said {}, which {}", quote_of(process.answer()),
                          quote_of(error.what(), kLongestReason));
    }
  return {.action = {}, .fault = fmt::format("{} (seat {}) {}", name_, question.seat, wrong)};
}

// The events that the seat does not know yet, as it may see them.
void MjaiPlayer::tell(Sitting& sitting, std::span<const Event> events, const RuleSet& rules,
                      bool asked) const {
  std::vector<RecordedEvent> news;
  for (const Event& event : events.subspan(sitting.told)) news.push_back({with_names(event), 0});
  show_dora_before_discards(news);  // what is asked about comes last
  std::vector<nlohmann::ordered_json> told;
  for (const RecordedEvent& recorded : news)
    told.push_back(mjai_of(recorded.event, rules, sitting.seat));
  for (const MjaiLine& line : mjai_lines(std::move(told), dialect_, asked))
    sitting.process->say(line.text, line.answers);
  sitting.told = events.size();
}

MjaiPlayer::Sitting& MjaiPlayer::sitting_of(const Question& question) {
  const Place place(question.game, question.seat);
  Sitting sitting{.process = nullptr, .seat = question.seat};
  std::unique_ptr<BotProcess> ended;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = sittings_.find(place); found != sittings_.end()) return found->second;
    sitting.process = idle_for(question.seat);
    if (!sitting.process) ended = superfluous();
  }
  ended.reset();
  sitting.reused = sitting.process != nullptr;
  if (!sitting.reused) sitting.process = started(question.seat);
  const std::lock_guard lock(mutex_);
  return sittings_.emplace(place, std::move(sitting)).first->second;
}

std::unique_ptr<BotProcess> MjaiPlayer::idle_for(Seat seat) {
  const auto idle = std::ranges::find_if(
      idle_, [&](const Sitting& idle) { return !seat_bound_ || idle.seat == seat; });
  if (idle == idle_.end()) return nullptr;
  std::unique_ptr<BotProcess> process = std::move(idle->process);
  idle_.erase(idle);
  return process;
}

// One that plays another seat, where there would be too many with one more.
std::unique_ptr<BotProcess> MjaiPlayer::superfluous() {
  if (idle_.empty() || sittings_.size() + idle_.size() < most_) return nullptr;
  std::unique_ptr<BotProcess> process = std::move(idle_.back().process);
  idle_.pop_back();
  return process;
}

std::unique_ptr<BotProcess> MjaiPlayer::started(Seat seat) {
  std::string command = command_;
  for (size_t at; (at = command.find(kSeat)) != command.npos;)
    command.replace(at, kSeat.size(), std::to_string(seat));
  std::unique_ptr<BotProcess> process;
  starter_.run([&] { process = std::make_unique<BotProcess>(command); });
  return process;
}

// Only a game that went to its end leaves its processes ready for another.
void MjaiPlayer::end_game(uint64_t game, std::span<const Event> events) {
  std::vector<Sitting> sittings = leave(game);
  if (sittings.empty() || !std::holds_alternative<EndGame>(events.back())) return;
  const RuleSet& rules = std::get<StartGame>(events.front()).rules;
  std::vector<BotProcess*> processes;
  for (Sitting& sitting : sittings) {
    tell(sitting, events, rules, false);
    processes.push_back(sitting.process.get());
  }
  converse(processes, timeout_);
  rest(std::move(sittings));
}

std::vector<MjaiPlayer::Sitting> MjaiPlayer::leave(uint64_t game) {
  std::vector<Sitting> sittings;
  const std::lock_guard lock(mutex_);
  const auto first = sittings_.lower_bound({game, 0});
  const auto last = sittings_.upper_bound({game, kSeats});
  for (auto sitting = first; sitting != last; ++sitting)
    sittings.push_back(std::move(sitting->second));
  sittings_.erase(first, last);
  return sittings;
}

void MjaiPlayer::rest(std::vector<Sitting> sittings) {
  const std::lock_guard lock(mutex_);
  for (Sitting& sitting : sittings)
    if (sitting.process->fault().empty())
      idle_.push_back({.process = std::move(sitting.process), .seat = sitting.seat});
}

}  // namespace ippatsu::play
