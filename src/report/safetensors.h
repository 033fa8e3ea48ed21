#pragma once

// The safetensors format (https://github.com/huggingface/safetensors, "Format"): 8 bytes with the
// header's length, a JSON header that names each tensor's dtype, shape and place, the tensors.
//
//     write_safetensors("model.safetensors", {.metadata = {{"step", "50"}},
//                                             .tensors = {{"weight", {"F32", {2, 3}, bytes}}}});
//     SafeTensorsFile file("model.safetensors");
//     file.content().tensors.at("weight").bytes;

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace ippatsu::report {

// The bits of one element of a dtype of the format ("F32": 32), or nothing for an unknown one.
std::optional<int> bits_per_element(std::string_view dtype);

struct TensorEntry {
  std::string dtype;  // as the format spells it: "F32", "BF16", "I64", "BOOL", ...
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;  // little-endian, row-major; not owned
};

struct SafeTensors {
  std::map<std::string, std::string> metadata = {};
  std::map<std::string, TensorEntry> tensors = {};
};

// Reads a whole file from memory; the tensors' bytes point into `file`. Fails, saying what is
// wrong where, unless the header is sound (at most 100 MB, as in the reference implementation; no
// name twice) and the tensors fill the rest of the file exactly, without gap or overlap.
SafeTensors parse_safetensors(std::span<const std::byte> file);

// A file mapped into memory: opening it costs no more than reading its header.
class SafeTensorsFile {
 public:
  // Fails as parse_safetensors does, with the path.
  explicit SafeTensorsFile(const std::filesystem::path& path);

  // The tensors' bytes live as long as this object.
  const SafeTensors& content() const { return content_; }

 private:
  MappedFile file_;
  SafeTensors content_;
};

// Writes the file in one step (the old or the new one is there, whole), widest dtypes first, so
// that every tensor is aligned to its element. Fails on an unknown dtype, a shape that does not
// match the bytes, or text that is not UTF-8; the old file is then left as it was.
void write_safetensors(const std::filesystem::path& path, const SafeTensors& content);

}  // namespace ippatsu::report
