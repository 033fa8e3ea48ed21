#pragma once

// Replays a record and stops at every choice that a seat had.
//
//     const Record record = read_record(path);
//     Replayer replayer(record);
//     while (const Decision* decision = replayer.next()) {
//       encode(decision->view, bits);                       // features.h
//       use(decision->game, bits, decision->view.legal(), decision->chosen);
//     }
//
// Where one action alone is legal there is no choice: in accepted riichi mostly the drawn tile, now
// and then the discard of a riichi declaration or after a call.
//
// Passing leaves no event. A seat is taken to have passed where nobody acted on the tile, or where
// all that it could have claimed would have come before what another did: a seat that could chi has
// not passed where another ponned, it may have been overruled, and is left out.

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "mahjong/table.h"
#include "records/record.h"

namespace ippatsu::mahjong {

// What a tile that lies there can be claimed for, in the order of who comes first.
enum class Claim : uint8_t { None, Chi, PonOrKan, Win };

struct Decision {
  DecisionView view;  // the table as it is before the choice
  Action chosen;
  bool tsumogiri;  // of a discard: the tile just drawn
  int game;        // within the record, from 0
  size_t event;    // index into record.events of what came of it

  // A choice among several discards, apart from what else could have been done.
  bool among_discards() const { return chosen.is_discard() && count(view.legal().discards()) > 1; }
};

class Replayer {
 public:
  // `record` must outlive the replayer.
  explicit Replayer(const Record& record) : record_(record) {}

  // The next decision, valid until the next call; null once the record is over. Fails, naming
  // source and place, at an event that is impossible or when the record ends before its game does.
  const Decision* next();

  const Table& table() const { return table_; }

 private:
  // Runs `step`; an error in it is told with the event's place.
  template <typename Step>
  void placed(size_t index, const Step& step) const;
  void apply(size_t index);
  void find_decisions(size_t index);
  void find_reactions(size_t index);
  Claim read_claims(const Event& event, std::array<std::optional<Action>, kSeats>& claims) const;
  void add_decision(Seat seat, Action chosen, size_t index, bool tsumogiri = false);
  void require_end() const;

  const Record& record_;
  Table table_;
  std::vector<Decision> decisions_;  // of what `applied_` is about to be
  size_t told_ = 0;                  // of those
  size_t applied_ = 0;               // events that the table has seen
  bool searched_ = false;            // the decisions before event `applied_` are found
  bool reacted_ = false;             // ... those on the tile that lies there are
  int games_ = 0;
};

// Replays all of it, for its checks.
void check(const Record& record);

}  // namespace ippatsu::mahjong
