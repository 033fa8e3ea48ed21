#pragma once

// The game records that a user's paths name.

#include <filesystem>
#include <span>
#include <vector>

namespace ippatsu::data {

// Files are taken as they are; folders give, with all folders below them, the files whose names end
// like a record's: .mjlog .xml .json .jsonl .mjai .mjson, each also with .gz. Hidden ones are left
// out. Sorted, each once. Fails on a path that is neither a file nor a folder, and when there is no
// record at all.
std::vector<std::filesystem::path> record_files(std::span<const std::filesystem::path> paths);

// "a/game.mjai.jsonl.gz" without all that says it is a record: "a/game".
std::filesystem::path without_record_ending(std::filesystem::path path);

}  // namespace ippatsu::data
