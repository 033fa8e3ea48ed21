#include "data/shard.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "data/content_hash.h"

namespace ippatsu::data {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "ippatsu\n";
constexpr uint64_t kLargestCount = uint64_t{1} << 40;  // of anything; no sum of sizes overflows

struct Header {
  std::array<char, 8> magic{};
  uint32_t shard_version = kShardVersion;
  uint32_t feature_version = mahjong::kFeatureVersion;
  uint64_t row_bytes = sizeof(Row);
  uint64_t sources = 0;
  uint64_t games = 0;
  uint64_t rows = 0;
  uint64_t checksum = 0;  // of the header with 0 in this place, then of all that follows
};
static_assert(std::has_unique_object_representations_v<Header>);

struct SourceEntry {
  SourceKey key;
  uint64_t games;
  uint64_t rows;
};
static_assert(std::has_unique_object_representations_v<SourceEntry>);

uint64_t size_of_shard(const Header& header) {
  return sizeof header + header.sources * sizeof(SourceEntry) + header.games * sizeof(GameRows) +
         header.rows * sizeof(Row);
}

ContentHash checksum_start(Header header) {
  header.checksum = 0;
  return ContentHash().add_value(header);
}

Header read_header(std::span<const std::byte> bytes) {
  Header header;
  if (bytes.size() < sizeof header) fail("is cut short: {} bytes are no header", bytes.size());
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::string_view(header.magic.data(), header.magic.size()) != kMagic)
    fail("is not a shard of encoded decisions");
  if (header.shard_version != kShardVersion || header.row_bytes != sizeof(Row))
    fail("was written in format {}, this program reads {}", header.shard_version, kShardVersion);
  if (header.feature_version != mahjong::kFeatureVersion)
    fail("holds features of version {}, this program uses {}", header.feature_version,
         mahjong::kFeatureVersion);
  return header;
}

void check_whole(const Header& header, std::span<const std::byte> bytes) {
  if (std::max({header.sources, header.games, header.rows}) > kLargestCount)
    fail("is damaged: its header counts {} sources, {} games, {} rows", header.sources,
         header.games, header.rows);
  const uint64_t size = size_of_shard(header);
  if (bytes.size() < size) fail("is cut short: {} of {} bytes are there", bytes.size(), size);
  if (bytes.size() > size) fail("is damaged: {} bytes where {} belong", bytes.size(), size);
  if (checksum_start(header).add(bytes.subspan(sizeof header)).value() != header.checksum)
    fail("is damaged: its checksum does not fit its content");
}

// The next `count` values of the file. They are aligned: the mapping begins at a page, and every
// part's size is a multiple of eight.
template <typename T>
std::span<const T> take(std::span<const std::byte>& bytes, uint64_t count) {
  const std::span<const T> values(reinterpret_cast<const T*>(bytes.data()), count);
  bytes = bytes.subspan(values.size_bytes());
  return values;
}

void check_source(const SourceRows& source) {
  uint64_t rows = 0;
  for (const GameRows& game : source.games) rows += game.all();
  if (rows != source.rows.size())
    fail("is damaged: games of {} rows in a source of {}", rows, source.rows.size());
  constexpr uint64_t kBeyond = ~uint64_t{0} << (mahjong::Action::kCount - 64);
  auto of_game = source.rows;
  for (const GameRows& game : source.games) {
    for (uint64_t i = 0; i < game.all(); ++i) {
      const Row& row = of_game[i];
      if (row.action >= mahjong::Action::kCount || !row.is_legal(row.action) ||
          (row.legal[1] & kBeyond) != 0)
        fail("is damaged: action {} is not among the legal ones", row.action);
      if (i < game.discards && !row.is_discard())
        fail("is damaged: action {} stands among the discards", row.action);
    }
    of_game = of_game.subspan(game.all());
  }
}

std::vector<SourceRows> read_sources(std::span<const std::byte> bytes) {
  const Header header = read_header(bytes);
  check_whole(header, bytes);
  bytes = bytes.subspan(sizeof header);
  const auto entries = take<SourceEntry>(bytes, header.sources);
  auto games = take<GameRows>(bytes, header.games);
  auto rows = take<Row>(bytes, header.rows);
  std::vector<SourceRows> sources;
  for (const SourceEntry& entry : entries) {
    if (entry.games > games.size() || entry.rows > rows.size())
      fail("is damaged: a source tells of more than the shard holds");
    if (!sources.empty() && !(sources.back().key < entry.key))
      fail("is damaged: its sources are out of order");
    sources.push_back({entry.key, games.first(entry.games), rows.first(entry.rows)});
    games = games.subspan(entry.games);
    rows = rows.subspan(entry.rows);
    check_source(sources.back());
  }
  return sources;
}

// Calls `take_piece` with every part of the shard after its header, in order.
void for_each_part(std::span<const SourceRows> sources, const WritePiece& take_piece) {
  for (const SourceRows& source : sources) {
    const SourceEntry entry{source.key, source.games.size(), source.rows.size()};
    take_piece(std::as_bytes(std::span(&entry, 1)));
  }
  for (const SourceRows& source : sources) take_piece(std::as_bytes(source.games));
  for (const SourceRows& source : sources) take_piece(std::as_bytes(source.rows));
}

Header make_header(std::span<const SourceRows> sources) {
  Header header;
  std::ranges::copy(kMagic, header.magic.begin());
  header.sources = sources.size();
  for (const SourceRows& source : sources) {
    header.games += source.games.size();
    header.rows += source.rows.size();
  }
  ContentHash checksum = checksum_start(header);
  for_each_part(sources, [&](std::span<const std::byte> part) { checksum.add(part); });
  header.checksum = checksum.value();
  return header;
}

}  // namespace

Shard::Shard(const fs::path& path) : file_(path) {
  try {
    sources_ = read_sources(file_.bytes());
  } catch (const Error& error) {
    throw error.within(path.string());
  }
}

const SourceRows* Shard::find(SourceKey key) const {
  const auto found = std::ranges::lower_bound(sources_, key, {}, &SourceRows::key);
  return found != sources_.end() && found->key == key ? &*found : nullptr;
}

void write_shard(const fs::path& path, std::span<const SourceRows> sources) {
  assert(std::ranges::adjacent_find(sources, std::ranges::greater_equal{}, &SourceRows::key) ==
         sources.end());
  const Header header = make_header(sources);
  write_file_atomically(path, [&](const WritePiece& write) {
    write(std::as_bytes(std::span(&header, 1)));
    for_each_part(sources, write);
  });
}

}  // namespace ippatsu::data
