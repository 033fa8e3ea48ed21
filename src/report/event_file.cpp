#include "report/event_file.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "report/crc32c.h"
#include "report/event.pb.h"
#include "report/markup.h"

namespace ippatsu::report {

namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "TFRecords are little-endian");

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string host_name() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return "localhost";
  return name;
}

bool any_file_starts_with(const fs::path& folder, const std::string& prefix) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(prefix)) return true;
  return false;
}

// TensorBoard reads the files of a folder in the order of their names, so a later one must sort
// after an earlier one: a second of which there is a file already is passed over.
fs::path later_path(const fs::path& folder) {
  const auto prefix = [](int64_t second) {
    return fmt::format("events.out.tfevents.{:010}.", second);
  };
  auto second = static_cast<int64_t>(seconds_since_1970());
  while (any_file_starts_with(folder, prefix(second))) ++second;
  return folder / fmt::format("{}{}.{}", prefix(second), host_name(), ::getpid());
}

// A double beyond a float's range becomes infinite (a cast would leave that undefined).
float as_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (std::abs(value) > kMost) return value > 0 ? kInfinity : -kInfinity;
  return static_cast<float>(value);
}

template <typename Integer>
std::string bytes_of(Integer value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string tf_record(const std::string& data) {
  const std::string length = bytes_of(static_cast<uint64_t>(data.size()));
  return length + bytes_of(masked_crc32c(length)) + data + bytes_of(masked_crc32c(data));
}

Event event_at(int64_t step) {
  Event event;
  event.set_wall_time(seconds_since_1970());
  event.set_step(step);
  return event;
}

}  // namespace

EventFile::EventFile(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("{}: cannot make the folder: {}", folder.string(), error.message());
  path_ = later_path(folder);
  file_.open(path_, std::ios::binary | std::ios::trunc);
  Event event = event_at(0);
  event.set_file_version("brain.Event:2");
  append(event.SerializeAsString());
  flush();
}

EventFile EventFile::resume(const fs::path& folder, int64_t last_step) {
  EventFile file(folder);
  Event event = event_at(last_step + 1);
  event.mutable_session_log()->set_status(SessionLog::START);
  file.append(event.SerializeAsString());
  file.flush();
  return file;
}

void EventFile::scalar(std::string_view tag, int64_t step, double value) {
  Event event = event_at(step);
  auto& entry = *event.mutable_summary()->add_value();
  entry.set_tag(valid_utf8(tag));
  entry.set_simple_value(as_float(value));
  append(event.SerializeAsString());
}

void EventFile::flush() {
  file_.flush();
  if (!file_) fail("{}: cannot write events; is the disk full?", path_.string());
}

void EventFile::append(const std::string& event) {
  const auto record = tf_record(event);
  file_.write(record.data(), static_cast<std::streamsize>(record.size()));
}

}  // namespace ippatsu::report
