#pragma once

// Scalars for TensorBoard.
//
//     EventFile events("run/events");
//     events.scalar("train/loss", step, loss);
//     events.flush();
//
// The file is a sequence of TFRecords (length, its checksum, data, its checksum), each holding one
// Event message.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace ippatsu::report {

class EventFile {
 public:
  // Starts a new event file in `folder`, which is made if it is missing. Fails if it cannot be
  // written.
  explicit EventFile(const std::filesystem::path& folder);

  // The same for a run that goes on after `last_step`: TensorBoard drops what earlier files of the
  // folder hold about later steps.
  static EventFile resume(const std::filesystem::path& folder, int64_t last_step);

  // Notes `value` (kept as a float; NaN and the infinities are allowed) under `tag`.
  void scalar(std::string_view tag, int64_t step, double value);

  // Hands everything noted so far to the operating system. Fails if the file cannot be written.
  void flush();

  const std::filesystem::path& path() const { return path_; }

 private:
  void append(const std::string& event);

  std::filesystem::path path_;
  std::ofstream file_;
};

}  // namespace ippatsu::report
