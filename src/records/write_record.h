#pragma once

// Writers: a Record into the text of a format.
//
//     write_file_atomically("game.json", write_tenhou_json(read_record("game.mjlog")));
//
// Reading the text again gives the events that were written, but for what a format has no words
// for:
//
//   both         rules beyond red fives, open tanyao, the number of players and East or South;
//                bytes of a name that are no UTF-8
//   mjai         what a source says that a win is worth, and who is liable for it
//   Tenhou JSON  the walls' seed; the order of tiles in a hand; fu from mangan upwards; deltas of a
//                round that was aborted. What a win is worth is always told, and why a round was
//                drawn: by the rules, where the record is silent. Where its columns leave more than
//                one order of turns, a reader may find another.

#include <string>

#include "records/record.h"

namespace ippatsu::mahjong {

// One JSON object a line; all games, one after another.
std::string write_mjai(const Record& record);

// The JSON of Tenhou's log viewer. Fails, naming source and place, where the game is impossible,
// and where the record does not hold just one whole game.
std::string write_tenhou_json(const Record& record);

}  // namespace ippatsu::mahjong
