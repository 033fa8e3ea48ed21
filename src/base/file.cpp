#include "base/file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"

namespace ippatsu {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_errno(const fs::path& path, std::string_view action) {
  fail("{}: cannot {}: {}", path.string(), action, std::strerror(errno));
}

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, mode_t mode = 0)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {
    if (fd_ < 0) fail_errno(path, "open");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(fd_); }
  int get() const { return fd_; }

 private:
  int fd_;
};

void write_all(int fd, const fs::path& path, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_errno(path, "write");
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void sync_folder(const fs::path& folder) {
  const Descriptor descriptor(folder, O_RDONLY | O_DIRECTORY);
  if (::fsync(descriptor.get()) != 0) fail_errno(folder, "sync");
}

std::string read_plain(const fs::path& path) {
  const Descriptor descriptor(path, O_RDONLY);
  struct stat info;
  if (::fstat(descriptor.get(), &info) != 0) fail_errno(path, "stat");
  if (S_ISDIR(info.st_mode)) fail("{}: is a folder, not a file", path.string());
  std::string content;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t count = ::read(descriptor.get(), chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(path, "read");
    if (count == 0) return content;
    content.append(chunk, static_cast<size_t>(count));
  }
}

constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, gzip framing

}  // namespace

std::string read_file(const fs::path& path) {
  std::string content = read_plain(path);
  if (!content.starts_with("\x1f\x8b")) return content;
  try {
    return gunzip(content);
  } catch (const Error& error) {
    throw error.within(path.string());
  }
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    fail("gzip: out of memory");
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) fail("gzip: packing failed (zlib status {})", status);
  return packed;
}

std::string gunzip(std::string_view packed, size_t limit) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) fail("gzip: out of memory");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  char chunk[1 << 16];
  int status = Z_OK;
  while (status == Z_OK && text.size() <= limit) {
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(chunk, sizeof chunk - stream.avail_out);
    // A gzip file may hold several members one after another (RFC 1952, section 2.2).
    if (status == Z_STREAM_END && stream.avail_in > 0) status = inflateReset(&stream);
  }
  inflateEnd(&stream);
  if (text.size() > limit)
    fail("the gzip stream unpacks to more than {} bytes, the most that is read", limit);
  if (status == Z_BUF_ERROR)
    fail("the gzip stream is cut short after {} bytes of text", text.size());
  if (status != Z_STREAM_END)
    fail("the gzip stream is damaged after {} bytes of text", text.size());
  return text;
}

void write_file_atomically(const fs::path& path,
                           const std::function<void(const WritePiece&)>& produce) {
  const fs::path temporary = path.string() + fmt::format(".{}.tmp", ::getpid());
  try {
    {
      const Descriptor descriptor(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0666);
      produce(
          [&](std::span<const std::byte> piece) { write_all(descriptor.get(), temporary, piece); });
      if (::fsync(descriptor.get()) != 0) fail_errno(temporary, "sync");
    }
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail_errno(path, "replace");
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  sync_folder(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  write_file_atomically(path,
                        [&](const WritePiece& write) { write(std::as_bytes(std::span(content))); });
}

MappedFile::MappedFile(const fs::path& path) {
  const Descriptor descriptor(path, O_RDONLY);
  struct stat info;
  if (::fstat(descriptor.get(), &info) != 0) fail_errno(path, "stat");
  if (info.st_size == 0) return;
  const size_t size = static_cast<size_t>(info.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor.get(), 0);
  if (address == MAP_FAILED) fail_errno(path, "map");
  bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace ippatsu
