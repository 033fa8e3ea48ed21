#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/complaint.h"
#include "cli/records.h"
#include "data/record_files.h"
#include "records/read_record.h"
#include "records/replay.h"
#include "records/write_record.h"

namespace ippatsu::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPacked = ".gz";

struct ConvertOptions {
  fs::path in, out;
  std::string to;
  bool force = false;
  bool anonymous = false;
};

struct Format {
  std::string_view name;
  std::array<std::string_view, 3> endings;  // the first is the one that a folder's files get
  std::string (*write)(const mahjong::Record&);
};

constexpr std::array<Format, 2> kFormats = {
    {{"mjai", {".mjai", ".jsonl", ".mjson"}, mahjong::write_mjai},
     {"tenhou-json", {".json"}, mahjong::write_tenhou_json}}};

struct Conversion {
  fs::path in, out;
};

const Format* format_called(std::string_view name) {
  return std::ranges::find(kFormats, name, &Format::name);
}

const Format* format_of(const fs::path& out) {
  const std::string ending = (out.extension() == kPacked ? out.stem() : out).extension().string();
  if (ending.empty()) return nullptr;
  for (const Format& format : kFormats)
    if (std::ranges::find(format.endings, ending) != format.endings.end()) return &format;
  return nullptr;
}

const Format& wanted_format(const ConvertOptions& options, bool folder) {
  if (!options.to.empty()) return *format_called(options.to);
  if (folder) fail("{}: a folder's name tells no format: add --to", options.out.string());
  if (const Format* format = format_of(options.out)) return *format;
  fail("{}: the name tells no format (.mjai .jsonl .mjson or .json, each also with .gz): add --to",
       options.out.string());
}

// A folder's files keep their places and names in it, but for the ending.
std::vector<Conversion> conversions(const ConvertOptions& options, const Format& format,
                                    bool folder) {
  if (!folder) return {{options.in, options.out}};
  const fs::path base = fs::is_directory(options.in) ? options.in : options.in.parent_path();
  std::vector<Conversion> conversions;
  for (const fs::path& in : data::record_files({&options.in, 1})) {
    fs::path out = options.out / data::without_record_ending(in.lexically_relative(base));
    out += format.endings[0];
    if (in.extension() == kPacked) out += kPacked;
    conversions.push_back({in, out});
  }
  return conversions;
}

// Before anything is written.
void require_free_places(const std::vector<Conversion>& conversions, bool force) {
  std::set<fs::path> inputs, outputs;
  for (const Conversion& conversion : conversions)
    inputs.insert(fs::weakly_canonical(conversion.in));
  for (const auto& [in, out] : conversions) {
    if (inputs.contains(fs::weakly_canonical(out)))
      fail("{}: is to be read, and is not overwritten", out.string());
    if (!outputs.insert(out).second)
      fail("{}: would be written twice, the second time from {}", out.string(), in.string());
    if (!force && fs::exists(fs::symlink_status(out)))
      fail("{}: is there already; --force replaces it", out.string());
  }
}

void convert(const Conversion& conversion, const Format& format, const ConvertOptions& options) {
  mahjong::Record record = mahjong::read_record(conversion.in);
  check(record);  // what cannot have happened would be as impossible in any format
  if (options.anonymous) remove_names(record);
  const std::string text = format.write(record);
  const bool packed = conversion.out.extension() == kPacked;
  write_file_atomically(conversion.out, packed ? gzip(text) : text);
}

void run(const ConvertOptions& options) {
  if (!fs::exists(options.in)) fail("{}: there is no such file or folder", options.in.string());
  const bool folder = fs::is_directory(options.in) || fs::is_directory(options.out);
  const Format& format = wanted_format(options, folder);
  const std::vector<Conversion> all = conversions(options, format, folder);
  require_free_places(all, options.force);
  std::vector<Complaint> bad;
  for (const Conversion& conversion : all) try {
      if (folder) fs::create_directories(conversion.out.parent_path());
      convert(conversion, format, options);
    } catch (const std::exception& error) {
      bad.push_back(complaint_of(conversion.in.string(), error.what()));
    }
  if (!folder && !bad.empty()) fail("{}", text_of(bad[0]));
  for (const Complaint& complaint : bad) std::cout << text_of(complaint) << "\n";
  if (!bad.empty()) fail("{} of {} record files were not converted", bad.size(), all.size());
}

}  // namespace

void add_records_convert(CLI::App& records) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* convert = records.add_subcommand(
      "convert",
      "Write game records in another format: mjai JSON lines, or the JSON of Tenhou's log viewer\n"
      "(one game a file). A folder becomes a folder with the same names. What is there already\n"
      "stays, inputs always, and each output is there whole or not at all. Files that cannot be\n"
      "converted are listed; the rest go on. The exit code is 0 if all were.");
  convert->footer(
      "Examples:\n"
      "  ippatsu records convert game.mjlog game.json\n"
      "  ippatsu records convert my/games my/games-mjai --to mjai --anonymous");
  convert->add_option("in", options->in, "A record in any format, or a folder of them")->required();
  convert
      ->add_option("out", options->out,
                   "The file, packed where it ends in .gz, or the folder; made if it is missing")
      ->required();
  convert
      ->add_option(
          "--to", options->to,
          "mjai or tenhou-json; without it the name of a file tells: .mjai .jsonl .mjson,\n"
          "or .json")
      ->check(CLI::IsMember({"mjai", "tenhou-json"}))
      ->type_name("FORMAT");
  convert->add_flag("--force", options->force, "Replace outputs that are there already");
  convert->add_flag("--anonymous", options->anonymous, "Call the players A, B, C and D");
  convert->callback([options] { run(*options); });
}

}  // namespace ippatsu::cli
