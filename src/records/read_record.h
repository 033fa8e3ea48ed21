#pragma once

// Readers: every format a game comes in, into the one Record.
//
// Each fails with one sentence that names the source and the byte, line or event. They check what
// the format promises (names, numbers, shapes); whether the game is possible is for replay.h.

#include <filesystem>
#include <string>
#include <string_view>

#include "records/record.h"

namespace ippatsu::mahjong {

// The largest text that is taken for a record; a hanchan is about 100 kB in the widest format.
inline constexpr size_t kLargestRecordBytes = size_t{1} << 28;

// Events that a reader makes room for on the word of a text's size alone.
inline constexpr size_t kMostReserved = 4096;

// Tenhou's XML log. Elements as in the client's own stream; meld words as in tenhou_meld.h.
Record read_mjlog(std::string_view text, std::string source);

// The JSON of Tenhou's log viewer (tenhou.net/6). Its columns do not tell the order of the seats'
// turns; the reader finds one that uses every entry.
Record read_tenhou_json(std::string_view text, std::string source);

// mjai: one JSON object a line.
Record read_mjai(std::string_view text, std::string source);

// Any of them, plain or gzip, told apart by content and not by name.
Record read_record(const std::filesystem::path& path);
Record read_record_text(std::string_view text, std::string source);

}  // namespace ippatsu::mahjong
