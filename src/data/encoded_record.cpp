#include "data/encoded_record.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "data/content_hash.h"
#include "records/read_record.h"
#include "records/replay.h"

namespace ippatsu::data {

namespace {

size_t games_in(const mahjong::Record& record) {
  size_t games = 0;
  for (const mahjong::RecordedEvent& event : record.events)
    games += std::holds_alternative<mahjong::StartGame>(event.event);
  return games;
}

}  // namespace

Row row_of(const mahjong::DecisionView& view, mahjong::Action chosen) {
  Row row;
  mahjong::encode(view, row.planes);
  row.legal = view.legal().words();
  row.action = static_cast<uint64_t>(chosen.index());
  return row;
}

SourceKey source_key(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("{}: cannot open: {}", path.string(), std::strerror(errno));
  ContentHash hash;
  SourceKey key;
  std::array<char, 1 << 16> chunk;
  do {
    file.read(chunk.data(), chunk.size());
    const size_t count = static_cast<size_t>(file.gcount());
    hash.add(std::as_bytes(std::span(chunk).first(count)));
    key.bytes += count;
  } while (file);
  if (!file.eof()) fail("{}: cannot be read", path.string());
  key.hash = hash.value();
  return key;
}

EncodedRecord encode_record(const std::filesystem::path& path, SourceKey key) {
  const mahjong::Record record = mahjong::read_record(path);
  EncodedRecord result{key, {}, {}};
  std::vector<Row> others;  // of the game that is being read
  const auto end_game = [&] {
    result.rows.insert(result.rows.end(), others.begin(), others.end());
    others.clear();
  };
  mahjong::Replayer replayer(record);
  while (const mahjong::Decision* decision = replayer.next()) {
    const auto game = static_cast<size_t>(decision->game);
    if (game >= result.games.size()) end_game();
    if (game >= result.games.size()) result.games.resize(game + 1);
    const bool discard = decision->among_discards();
    (discard ? result.rows : others).push_back(row_of(decision->view, decision->chosen));
    ++(discard ? result.games[game].discards : result.games[game].others);
  }
  end_game();
  result.games.resize(games_in(record));
  return result;
}

}  // namespace ippatsu::data
