#include "pjrt/seal.h"

#include <zlib.h>

#include "base/error.h"

namespace ippatsu::pjrt {

namespace {

constexpr std::string_view kMagic = "ippatsu program 1\n";

std::string checksum(std::string_view payload) {
  const auto* bytes = reinterpret_cast<const Bytef*>(payload.data());
  return fmt::format("{:08x} {}\n", crc32_z(0, bytes, payload.size()), payload.size());
}

// Takes the next line off `rest`.
std::string_view take_line(std::string_view& rest) {
  const size_t length = rest.find('\n');
  if (length == rest.npos) fail("the serialized program is cut short");
  const std::string_view line = rest.substr(0, length + 1);
  rest.remove_prefix(line.size());
  return line;
}

}  // namespace

std::string seal(std::string_view payload, std::string_view maker) {
  return fmt::format("{}{}\n{}{}", kMagic, maker, checksum(payload), payload);
}

std::string_view unseal(std::string_view sealed, std::string_view maker) {
  if (!sealed.starts_with(kMagic)) fail("these bytes are no serialized program");
  sealed.remove_prefix(kMagic.size());
  std::string_view found = take_line(sealed);
  found.remove_suffix(1);
  if (found != maker)
    fail("the serialized program was made by another plugin: {}, not {}", found, maker);
  const std::string_view expected = take_line(sealed);
  if (checksum(sealed) != expected) fail("the serialized program is damaged");
  return sealed;
}

}  // namespace ippatsu::pjrt
