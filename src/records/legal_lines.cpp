// Reads games as mjai lines from standard input, for tests/crosscheck/legal_actions.py, and writes
// with the line that led there
//
//     17 2 pon, pon red, pass                      what seat 2 may choose then
//     17 differs the points move by ...            what the rules say otherwise (check_record.h)
//     903 ranks 2 0 1 3                            the seats of a game that is over, first to last
//
// A choice is told once: not again when a riichi is accepted, or after a first winner. The rest of
// a game that becomes impossible is left out.

#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>

#include "base/error.h"
#include "mahjong/payment.h"
#include "mahjong/table.h"
#include "records/check_record.h"
#include "records/read_record.h"

namespace ippatsu::mahjong {
namespace {

using Events = std::vector<RecordedEvent>;

bool is_new_choice(const Event& event) {
  return !std::holds_alternative<Dora>(event) && !std::holds_alternative<RiichiAccepted>(event) &&
         !std::holds_alternative<Win>(event);
}

void tell_choices(const Table& table, uint32_t place) {
  for (int seat = 0; seat < kSeats; ++seat) {
    const ActionSet& legal = table.legal(seat);
    if (legal.empty()) continue;
    std::cout << place << ' ' << seat << ' ';
    for (int i = 0; i < legal.size(); ++i)
      std::cout << (i == 0 ? "" : ", ") << to_string(legal.nth(i));
    std::cout << '\n';
  }
}

void tell_ranks(const Table& table, uint32_t place) {
  std::cout << place << " ranks";
  for (const Seat seat : ranking(table.final_scores(), table.rules()))
    std::cout << ' ' << int{seat};
  std::cout << '\n';
}

void follow(const Record& game) {
  Table table;
  try {
    for (const RecordedEvent& recorded : game.events) {
      table.apply(recorded.event);
      if (is_new_choice(recorded.event)) tell_choices(table, recorded.place);
      if (std::holds_alternative<EndGame>(recorded.event)) tell_ranks(table, recorded.place);
    }
  } catch (const Error&) {  // the last of the differences below
  }
  for (const Difference& difference : check_record(game).differences)
    std::cout << game.events[difference.event].place << " differs " << difference.what << '\n';
}

void follow_all(const Record& record) {
  const auto starts_game = [](const RecordedEvent& recorded) {
    return std::holds_alternative<StartGame>(recorded.event);
  };
  for (auto first = record.events.begin(); first != record.events.end();) {
    const auto last = std::find_if(first + 1, record.events.end(), starts_game);
    follow({.source = record.source, .unit = record.unit, .events = Events(first, last)});
    first = last;
  }
}

}  // namespace
}  // namespace ippatsu::mahjong

int main() {
  try {
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    ippatsu::mahjong::follow_all(ippatsu::mahjong::read_mjai(text, "standard input"));
  } catch (const ippatsu::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
