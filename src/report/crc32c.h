#pragma once

// CRC-32C (Castagnoli), as in RFC 3720, appendix B.4, and in TFRecord files.

#include <cstdint>
#include <string_view>

namespace ippatsu::report {

uint32_t crc32c(std::string_view bytes);

// The same, disguised as TFRecord wants it, so that a checksum of data that holds checksums stays
// strong: rotated by 15 bits, plus a constant.
uint32_t masked_crc32c(std::string_view bytes);

}  // namespace ippatsu::report
