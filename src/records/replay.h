#pragma once

// Replays a record and stops at every discard that was a choice.
//
//     const Record record = read_record(path);
//     Replayer replayer(record);
//     while (const Decision* decision = replayer.next()) {
//       encode(decision->view, bits);                       // features.h
//       use(decision->game, bits, decision->view.legal, decision->chosen.index());
//     }
//
// A discard that the rules force is no decision and is passed over: in accepted riichi only the
// drawn tile may go, and now and then a riichi declaration or a call leaves one legal tile. A
// declaration comes before its discard, so that discard's legal tiles are those that keep the hand
// tenpai.

#include <cstddef>

#include "mahjong/table.h"
#include "records/record.h"

namespace ippatsu::mahjong {

struct Decision {
  DecisionView view;  // the table as it is before the discard
  Tile chosen;
  bool tsumogiri;
  int game;      // within the record, from 0
  size_t event;  // index into record.events of the discard
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
  bool is_decision(size_t index);
  void require_end() const;

  const Record& record_;
  Table table_;
  Decision decision_{};
  size_t applied_ = 0;    // events that the table has seen
  bool decided_ = false;  // the next event is the discard of decision_
  int games_ = 0;
};

// Replays all of it, for its checks.
void check(const Record& record);

}  // namespace ippatsu::mahjong
