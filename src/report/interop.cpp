// Writes and reads files for the tests that check them with other programs (the *_test.py beside
// this file).
//
//     report_interop events FOLDER        two event files: steps 1..10, then resumed after step 6
//     report_interop safetensors FILE     tensors of many dtypes
//     report_interop describe FILE        what a safetensors file holds, as JSON
//     report_interop pages FOLDER         charts and a run's report, ordinary and absurd

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>

#include <fmt/ranges.h>

#include "base/error.h"
#include "base/file.h"
#include "report/chart.h"
#include "report/event_file.h"
#include "report/run_report.h"
#include "report/safetensors.h"
#include "report/samples.h"

namespace ippatsu::report {

namespace {

namespace fs = std::filesystem;

void write_events(const fs::path& folder) {
  EventFile first(folder);
  for (int step = 1; step <= 10; ++step) first.scalar("train/loss", step, 4.0 / step);
  first.scalar("odd/nan", 1, std::nan(""));
  first.scalar("odd/beyond a float", 1, 1e300);
  first.scalar("odd/\xff", 1, 1);
  first.flush();
  auto second = EventFile::resume(folder, 6);
  for (int step = 7; step <= 8; ++step) second.scalar("train/loss", step, 100.0 + step);
  second.flush();
}

void write_tensors(const fs::path& file) {
  std::vector<std::byte> bytes(96);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 2);
  const std::span<const std::byte> all(bytes);
  write_safetensors(file, {.metadata = {{"step", "50"}, {"name", "一発 \"quoted\"\n"}},
                           .tensors = {{"bool", {"BOOL", {3}, all.first(3)}},
                                       {"f16", {"F16", {2, 2}, all.first(8)}},
                                       {"f32", {"F32", {2, 3}, all.first(24)}},
                                       {"f64", {"F64", {}, all.first(8)}},
                                       {"i64", {"I64", {12}, all.first(96)}},
                                       {"u8", {"U8", {5, 1}, all.first(5)}},
                                       {"nothing", {"F32", {0, 7}, {}}},
                                       {"layers.0.weight \"é\"", {"I32", {1}, all.first(4)}}}});
}

void describe(const fs::path& file) {
  const SafeTensorsFile opened(file);
  nlohmann::json tensors = nlohmann::json::object();
  for (const auto& [name, entry] : opened.content().tensors) {
    std::string hex;
    for (std::byte byte : entry.bytes) hex += fmt::format("{:02x}", static_cast<int>(byte));
    tensors[name] = {{"dtype", entry.dtype}, {"shape", entry.shape}, {"bytes", hex}};
  }
  const nlohmann::json json = {{"metadata", opened.content().metadata}, {"tensors", tensors}};
  std::puts(json.dump().c_str());
}

void write_pages(const fs::path& folder) {
  fs::create_directories(folder);
  for (const auto& [name, chart] : sample_charts()) {
    write_file_atomically(folder / (name + ".svg"), svg(chart));
    write_file_atomically(folder / (name + "-narrow.svg"), svg(chart, kNarrowChart));
  }
  write_run_report(folder / "report.html", sample_report());
  write_run_report(folder / "empty.html", {});
  write_run_report(folder / "hostile.html", hostile_report());
}

constexpr std::pair<std::string_view, void (*)(const fs::path&)> kCommands[] = {
    {"events", write_events},
    {"safetensors", write_tensors},
    {"describe", describe},
    {"pages", write_pages},
};

}  // namespace

}  // namespace ippatsu::report

int main(int count, char** arguments) try {
  for (const auto& [name, command] : ippatsu::report::kCommands)
    if (count == 3 && arguments[1] == name) {
      command(arguments[2]);
      return 0;
    }
  std::fputs("usage: report_interop events|safetensors|describe|pages PATH\n", stderr);
  return 2;
} catch (const ippatsu::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
