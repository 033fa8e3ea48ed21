#pragma once

// Files: read whole (plain or gzip), mapped, or written so that a reader never sees half of one.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace ippatsu {

// The whole file. One that starts with gzip's magic bytes is unpacked, whatever its name.
// Fails with the path and, for a broken gzip stream, the byte of the unpacked text it broke at.
std::string read_file(const std::filesystem::path& path);

// Packs `text` as a gzip stream (no name, no time: equal input gives equal bytes).
std::string gzip(std::string_view text);

// The most that a gzip stream may unpack to, in bytes: a few kilobytes can hold far more than fits
// into memory.
inline constexpr size_t kUnpackedLimit = size_t{1} << 30;

// Unpacks a gzip stream of one or more members; fails on a truncated or damaged one, and on one
// that holds more than `limit` bytes.
std::string gunzip(std::string_view packed, size_t limit = kUnpackedLimit);

// Replaces `path` in one step: writes a temporary file beside it, syncs it, renames it over `path`
// and syncs the folder. After a crash the old or the new file is there, whole.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

// The same for content that is produced in pieces: `produce` calls its argument once per piece.
using WritePiece = std::function<void(std::span<const std::byte>)>;
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const WritePiece&)>& produce);

// A whole file mapped read-only. Move-only; the mapping ends with the object.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace ippatsu
