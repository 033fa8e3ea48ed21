#pragma once

// A game record: what happened at the table, as typed events, whatever format it was written in.
//
// With three players the scores and deltas of seat 3 are 0 and its hand is empty.
//
//     const Record record = read_record("game.mjlog");
//     for (const RecordedEvent& e : record.events)
//       if (const auto* win = std::get_if<Win>(&e.event)) ...

#include <cstdint>
#include <string>
#include <vector>

#include "mahjong/event.h"

namespace ippatsu::mahjong {

// What the places of a record's events count: bytes of the unpacked file (mjlog), lines (mjai), or
// the events themselves (Tenhou JSON, whose events stand in four interleaved columns).
enum class PlaceUnit : uint8_t { Byte, Line, Event };

struct RecordedEvent {
  Event event;
  uint32_t place;  // bytes from 0; lines and events from 1
};

// All of one source, in order: one game or, one after another, several.
struct Record {
  std::string source;  // the file's path, for messages
  PlaceUnit unit = PlaceUnit::Line;
  std::vector<RecordedEvent> events;

  // "line 17"
  std::string where(const RecordedEvent& event) const;
};

// Players are called A, B, C and D by seat.
void remove_names(Record& record);

// "byte 17"
std::string to_string(PlaceUnit unit, uint64_t place);

}  // namespace ippatsu::mahjong
