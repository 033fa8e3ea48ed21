#include "records/replay.h"

#include <algorithm>

#include "base/error.h"

namespace ippatsu::mahjong {

namespace {

std::string round_name(const StartRound& round) {
  constexpr std::array<std::string_view, 4> kWinds = {"East", "South", "West", "North"};
  return fmt::format("{} {}, honba {}", kWinds[static_cast<size_t>(round.round_wind)], round.number,
                     round.honba);
}

}  // namespace

const Decision* Replayer::next() {
  if (decided_) apply(applied_);
  decided_ = false;
  for (; applied_ < record_.events.size(); apply(applied_))
    if (is_decision(applied_)) {
      decided_ = true;
      return &decision_;
    }
  require_end();
  return nullptr;
}

void Replayer::require_end() const {
  if (table_.phase() == Phase::NoGame && games_ > 0) return;
  const std::string place =
      record_.events.empty() ? to_string(record_.unit, 0) : record_.where(record_.events.back());
  fail("{}: {}: the record ends {}", record_.source, place,
       games_ == 0 ? "without a game" : "in the middle of a game");
}

void Replayer::apply(size_t index) {
  const RecordedEvent& recorded = record_.events[index];
  if (std::holds_alternative<StartGame>(recorded.event)) ++games_;
  placed(index, [&] { table_.apply(recorded.event); });
  applied_ = index + 1;
}

// The choice is checked here already: no one is shown a decision that is impossible.
bool Replayer::is_decision(size_t index) {
  const auto* discard = std::get_if<Discard>(&record_.events[index].event);
  if (!discard || count(table_.legal_discards()) < 2) return false;
  placed(index, [&] { table_.check(*discard); });
  decision_ = {.view = {.table = &table_, .seat = discard->seat, .legal = table_.legal_discards()},
               .chosen = discard->tile,
               .tsumogiri = discard->tsumogiri,
               .game = games_ - 1,
               .event = index};
  return true;
}

template <typename Step>
void Replayer::placed(size_t index, const Step& step) const {
  const bool in_round = table_.phase() != Phase::NoGame && table_.phase() != Phase::BetweenRounds;
  try {
    step();
  } catch (const Error& error) {
    const Error placed = in_round ? error.within(round_name(table_.round())) : error;
    throw placed.within(record_.where(record_.events[index])).within(record_.source);
  }
}

void check(const Record& record) {
  Replayer replayer(record);
  while (replayer.next()) continue;
}

}  // namespace ippatsu::mahjong
