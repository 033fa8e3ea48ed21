#include "records/replay.h"

#include <algorithm>

#include "base/error.h"

namespace ippatsu::mahjong {

namespace {

std::string round_name(const Table& table) {
  constexpr std::array<std::string_view, 4> kWinds = {"East", "South", "West", "North"};
  return fmt::format("{} {}, honba {}", kWinds[static_cast<size_t>(table.round_wind())],
                     table.number(), table.honba());
}

Claim claim_of(Action action) {
  if (action == Action::win()) return Claim::Win;
  if (action.is_pon() || action == Action::open_kan()) return Claim::PonOrKan;
  return action.is_chi() ? Claim::Chi : Claim::None;
}

// The least that the seat could have claimed.
Claim least_claim(const ActionSet& legal) {
  Claim least = Claim::Win;
  for (int i = 0; i < legal.size(); ++i)
    if (legal.nth(i) != Action::pass()) least = std::min(least, claim_of(legal.nth(i)));
  return least;
}

// What a seat in turn chose, other than a discard, to make this happen.
std::optional<Action> own_action(const Event& event, Seat turn) {
  if (std::holds_alternative<RiichiDeclared>(event)) return Action::riichi();
  if (std::holds_alternative<Kita>(event)) return Action::north();
  if (const auto* kan = std::get_if<ClosedKan>(&event)) return Action::kan(kan->tiles[0].kind());
  if (const auto* kan = std::get_if<AddedKan>(&event)) return Action::kan(kan->added.kind());
  const auto* win = std::get_if<Win>(&event);
  if (win && win->seat == turn) return Action::win();
  const auto* draw = std::get_if<RoundDraw>(&event);
  if (draw && draw->kind == DrawKind::NineTerminals) return Action::nine_terminals();
  return std::nullopt;
}

}  // namespace

const Decision* Replayer::next() {
  for (; applied_ < record_.events.size(); apply(applied_)) {
    if (!searched_) find_decisions(applied_);
    searched_ = true;
    if (told_ < decisions_.size()) return &decisions_[told_++];
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
  const bool same_tile = std::holds_alternative<Dora>(recorded.event) ||
                         std::holds_alternative<RiichiAccepted>(recorded.event);
  if (!same_tile) reacted_ = false;
  applied_ = index + 1;
  searched_ = false;
}

// The choices are checked here already: no one is shown a decision that is impossible.
void Replayer::find_decisions(size_t index) {
  decisions_.clear();
  told_ = 0;
  const Event& event = record_.events[index].event;
  const bool reacting = table_.phase() == Phase::Reaction || table_.phase() == Phase::KanReaction;
  if (reacting && !reacted_ && !std::holds_alternative<Dora>(event)) return find_reactions(index);
  const Seat turn = table_.turn();
  if (const auto* discard = std::get_if<Discard>(&event)) {
    if (table_.legal(turn).size() < 2) return;
    placed(index, [&] { table_.check(*discard); });
    add_decision(turn, Action::discard(discard->tile), index, discard->tsumogiri);
  } else if (const std::optional<Action> action = own_action(event, turn)) {
    // What is not legal is no decision; the table will say why.
    if (table_.legal(turn).contains(*action)) add_decision(turn, *action, index);
  }
}

// Looks ahead to what was done about the tile that lies there.
void Replayer::find_reactions(size_t index) {
  reacted_ = true;
  std::array<std::optional<Action>, kSeats> claims;
  Claim most = Claim::None;
  for (size_t i = index; i < record_.events.size(); ++i) {
    const Event& event = record_.events[i].event;
    if (std::holds_alternative<RiichiAccepted>(event)) continue;
    most = std::max(most, read_claims(event, claims));
    if (!std::holds_alternative<Win>(event)) break;
  }
  for (int after = 1; after < kSeats; ++after) {
    const auto seat = static_cast<Seat>((table_.turn() + after) % kSeats);
    const ActionSet& legal = table_.legal(seat);
    if (legal.empty()) continue;
    if (claims[seat] && legal.contains(*claims[seat])) add_decision(seat, *claims[seat], index);
    const Claim least = least_claim(legal);
    const bool passed = most == Claim::None || least > most || least == Claim::Win;
    if (!claims[seat] && passed) add_decision(seat, Action::pass(), index);
  }
}

// Who claims the tile by this event, and what the strongest claim is. A round that is aborted on a
// discard overrules all calls.
Claim Replayer::read_claims(const Event& event,
                            std::array<std::optional<Action>, kSeats>& claims) const {
  if (const auto* call = std::get_if<Call>(&event)) {
    if (call->seat < 0 || call->seat >= kSeats) return Claim::None;
    claims[call->seat] = table_.action_of(*call);
    return claims[call->seat] ? claim_of(*claims[call->seat]) : Claim::None;
  }
  const auto* win = std::get_if<Win>(&event);
  if (win && win->seat >= 0 && win->seat < kSeats) {
    claims[win->seat] = Action::win();
    return Claim::Win;
  }
  const auto* draw = std::get_if<RoundDraw>(&event);
  if (!draw) return Claim::None;
  if (draw->kind == DrawKind::TripleRon)
    for (int seat = 0; seat < kSeats; ++seat)
      if (table_.legal(seat).contains(Action::win())) claims[seat] = Action::win();
  return draw->kind == DrawKind::TripleRon ? Claim::Win : Claim::PonOrKan;
}

void Replayer::add_decision(Seat seat, Action chosen, size_t index, bool tsumogiri) {
  if (table_.legal(seat).size() < 2) return;
  decisions_.push_back({.view = {.table = &table_, .seat = seat},
                        .chosen = chosen,
                        .tsumogiri = tsumogiri,
                        .game = games_ - 1,
                        .event = index});
}

template <typename Step>
void Replayer::placed(size_t index, const Step& step) const {
  const bool in_round = table_.phase() != Phase::NoGame && table_.phase() != Phase::BetweenRounds;
  try {
    step();
  } catch (const Error& error) {
    const Error placed = in_round ? error.within(round_name(table_)) : error;
    throw placed.within(record_.where(record_.events[index])).within(record_.source);
  }
}

void check(const Record& record) {
  Replayer replayer(record);
  while (replayer.next()) continue;
}

}  // namespace ippatsu::mahjong
