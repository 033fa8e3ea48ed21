#include "report/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include <fmt/ranges.h>

#include "base/error.h"

namespace ippatsu::report {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kMetadata = "__metadata__";
constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kLongestHeader = 100'000'000;

using NamedTensor = std::pair<const std::string, TensorEntry>;

struct DtypeInfo {
  std::string_view name;
  int bits;
};

constexpr DtypeInfo kDtypes[] = {
    {"BOOL", 8},        {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
    {"I8", 8},          {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
    {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"U16", 16},    {"F16", 16},    {"BF16", 16},
    {"I32", 32},        {"U32", 32},    {"F32", 32},    {"C64", 64},    {"F64", 64},
    {"I64", 64},        {"U64", 64},
};

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

uint64_t header_length(std::span<const std::byte> file) {
  if (file.size() < kLengthBytes)
    fail("the file ends after {} bytes, inside the length of its header", file.size());
  uint64_t length;
  std::memcpy(&length, file.data(), sizeof length);
  if (length > kLongestHeader)
    fail(
        "the header claims {} bytes, more than the {} the format allows; this is no safetensors "
        "file",
        length, kLongestHeader);
  if (length > file.size() - kLengthBytes)
    fail("the header claims {} bytes, but only {} follow: the file is cut short", length,
         file.size() - kLengthBytes);
  return length;
}

// JSON readers keep one of two equal keys and say nothing; here each name must be the only one.
json parse_header(std::string_view text) {
  if (!text.starts_with('{')) fail("the header does not begin with a brace");
  std::vector<std::set<std::string>> open_objects;
  const auto check_names = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open_objects.emplace_back();
    if (event == json::parse_event_t::object_end) open_objects.pop_back();
    if (event == json::parse_event_t::key &&
        !open_objects.back().insert(parsed.get<std::string>()).second)
      fail("the header names \"{}\" twice", parsed.get<std::string>());
    return true;
  };
  try {
    return json::parse(text, check_names);
  } catch (const json::exception& error) {
    fail("the header is not JSON: {}", error.what());
  }
}

uint64_t whole_number(const json& value, std::string_view what) {
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  if (!value.is_number_unsigned() || value.get<uint64_t>() > kMost)
    fail("{} must be a whole number from 0 to {}", what, kMost);
  return value.get<uint64_t>();
}

const json& member(const json& object, const char* key, json::value_t type) {
  const auto found = object.find(key);
  if (found == object.end()) fail("\"{}\" is missing", key);
  if (found->type() != type)
    fail("\"{}\" is {}, not {}", key, found->type_name(), json(type).type_name());
  return *found;
}

// Fails where the shape holds more elements, or these more bits, than 64 bits can count.
uint64_t bytes_needed(std::string_view dtype, const std::vector<int64_t>& shape) {
  const auto bits = bits_per_element(dtype);
  if (!bits) fail("dtype \"{}\" is none of the format", dtype);
  uint64_t total = static_cast<uint64_t>(*bits);
  for (int64_t size : shape)
    if (size < 0 || __builtin_mul_overflow(total, static_cast<uint64_t>(size), &total))
      fail("shape [{}] is absurd", fmt::join(shape, ", "));
  if (total % 8 != 0) fail("shape [{}] of {} fills no whole byte", fmt::join(shape, ", "), dtype);
  return total / 8;
}

void check_size(const TensorEntry& entry, uint64_t bytes) {
  const uint64_t needed = bytes_needed(entry.dtype, entry.shape);
  if (bytes != needed)
    fail("{} of shape [{}] takes {} bytes, not {}", entry.dtype, fmt::join(entry.shape, ", "),
         needed, bytes);
}

struct Extent {
  uint64_t begin, end;
  std::string_view name;
  auto operator<=>(const Extent&) const = default;
};

Extent parse_entry(std::string_view name, const json& object, TensorEntry& entry) {
  if (!object.is_object()) fail("its description is {}, not an object", object.type_name());
  entry.dtype = member(object, "dtype", json::value_t::string).get<std::string>();
  for (const auto& size : member(object, "shape", json::value_t::array))
    entry.shape.push_back(static_cast<int64_t>(whole_number(size, "a size of the shape")));
  const auto& offsets = member(object, "data_offsets", json::value_t::array);
  if (offsets.size() != 2) fail("\"data_offsets\" has {} numbers, not 2", offsets.size());
  const uint64_t begin = whole_number(offsets[0], "an offset");
  const uint64_t end = whole_number(offsets[1], "an offset");
  if (begin > end) fail("it begins at byte {}, after its end at byte {}", begin, end);
  check_size(entry, end - begin);
  return {begin, end, name};
}

std::map<std::string, std::string> parse_metadata(const json& object) {
  if (!object.is_object()) fail("{} is {}, not an object", kMetadata, object.type_name());
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string()) fail("{}: \"{}\" is not a string", kMetadata, key);
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

// The extents must tile the data.
void check_tiling(std::vector<Extent> extents, uint64_t data_bytes) {
  std::sort(extents.begin(), extents.end());
  uint64_t expected = 0;
  for (const auto& [begin, end, name] : extents) {
    if (begin < expected) fail("tensor \"{}\" overlaps another at byte {}", name, begin);
    if (begin > expected) fail("{} bytes before tensor \"{}\" are unused", begin - expected, name);
    if (end > data_bytes)
      fail("tensor \"{}\" ends at byte {} of the data, which has only {}: the file is cut short",
           name, end, data_bytes);
    expected = end;
  }
  if (expected != data_bytes) fail("{} bytes follow the last tensor", data_bytes - expected);
}

ordered_json header_of(const SafeTensors& content, const std::vector<const NamedTensor*>& order) {
  ordered_json header = ordered_json::object();
  if (!content.metadata.empty()) header[kMetadata] = content.metadata;
  uint64_t offset = 0;
  for (const auto* tensor : order) {
    const auto& [name, entry] = *tensor;
    header[name] = {{"dtype", entry.dtype},
                    {"shape", entry.shape},
                    {"data_offsets", {offset, offset + entry.bytes.size()}}};
    offset += entry.bytes.size();
  }
  return header;
}

std::vector<const NamedTensor*> widest_first(const std::map<std::string, TensorEntry>& tensors) {
  std::vector<const NamedTensor*> order;
  for (const auto& tensor : tensors) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return bits_per_element(a->second.dtype) > bits_per_element(b->second.dtype);
  });
  return order;
}

void check_writable(const SafeTensors& content) {
  for (const auto& [name, entry] : content.tensors) try {
      if (name == kMetadata) fail("the format keeps this name for itself");
      check_size(entry, entry.bytes.size());
    } catch (const Error& error) {
      throw error.within(fmt::format("tensor \"{}\"", name));
    }
}

// Padded with spaces, so that the tensors begin at a multiple of 8 bytes.
std::string header_text(const ordered_json& header) {
  std::string text;
  try {
    text = header.dump();
  } catch (const ordered_json::exception&) {
    fail("a name or the metadata is not UTF-8");
  }
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  if (text.size() > kLongestHeader)
    fail("the header would take {} bytes; the format allows {}", text.size(), kLongestHeader);
  return text;
}

}  // namespace

std::optional<int> bits_per_element(std::string_view dtype) {
  for (const auto& [name, bits] : kDtypes)
    if (name == dtype) return bits;
  return std::nullopt;
}

SafeTensors parse_safetensors(std::span<const std::byte> file) {
  const uint64_t length = header_length(file);
  const json header = parse_header(as_text(file.subspan(kLengthBytes, length)));
  const auto data = file.subspan(kLengthBytes + length);
  SafeTensors content;
  std::vector<Extent> extents;
  for (const auto& [name, object] : header.items()) {
    if (name == kMetadata) {
      content.metadata = parse_metadata(object);
      continue;
    }
    try {
      auto& [key, entry] = *content.tensors.try_emplace(name).first;
      extents.push_back(parse_entry(key, object, entry));
    } catch (const Error& error) {
      throw error.within(fmt::format("tensor \"{}\"", name));
    }
  }
  check_tiling(extents, data.size());
  for (const auto& [begin, end, name] : extents)
    content.tensors.at(std::string(name)).bytes = data.subspan(begin, end - begin);
  return content;
}

SafeTensorsFile::SafeTensorsFile(const std::filesystem::path& path) : file_(path) {
  try {
    content_ = parse_safetensors(file_.bytes());
  } catch (const Error& error) {
    throw error.within(path.string());
  }
}

void write_safetensors(const std::filesystem::path& path, const SafeTensors& content) {
  const auto order = widest_first(content.tensors);
  std::string header;
  try {
    check_writable(content);
    header = header_text(header_of(content, order));
  } catch (const Error& error) {
    throw error.within(path.string());
  }
  write_file_atomically(path, [&](const WritePiece& write) {
    const uint64_t length = header.size();
    write(std::as_bytes(std::span(&length, 1)));
    write(std::as_bytes(std::span(header)));
    for (const auto* tensor : order) write(tensor->second.bytes);
  });
}

}  // namespace ippatsu::report
