#include "records/read_record.h"

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"

namespace ippatsu::mahjong {

namespace {

using Reader = Record (*)(std::string_view text, std::string source);

// Reads no further than the first key of the outer object that tells the format.
class FormatSniffer : public nlohmann::json_sax<nlohmann::json> {
 public:
  Reader found = nullptr;

  bool key(string_t& name) override {
    if (depth_ == 1 && name == "type") found = read_mjai;
    if (depth_ == 1 && (name == "log" || name == "rule")) found = read_tenhou_json;
    return !found;
  }
  bool start_object(size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool enter() { return ++depth_ > 0; }
  bool leave() { return --depth_ > 0; }

  int64_t depth_ = 0;
};

Reader reader_for(std::string_view text) {
  if (text.starts_with('<')) return read_mjlog;
  FormatSniffer sniffer;
  nlohmann::json::sax_parse(text.begin(), text.end(), &sniffer);
  return sniffer.found;
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

Record read_record_text(std::string_view text, std::string source) {
  if (text.size() > kLargestRecordBytes)
    fail("{}: {} bytes are too much for a record (at most {})", source, text.size(),
         kLargestRecordBytes);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) fail("{}: byte 0: the file is empty", source);
  const Reader reader = reader_for(text.substr(begin));
  if (!reader)
    fail("{}: byte {}: is neither mjlog XML, Tenhou JSON nor mjai JSON lines", source, begin);
  return reader(text, std::move(source));
}

Record read_record(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  return read_record_text(text, path.string());
}

}  // namespace ippatsu::mahjong
