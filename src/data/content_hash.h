#pragma once

// A 64-bit hash of bytes that is the same on every machine and in every run: SipHash-2-4 (Aumasson
// and Bernstein, "SipHash: a fast short-input PRF", 2012) under a fixed key. Wide enough to tell
// millions of records apart, and short enough to need no library.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace ippatsu::data {

class ContentHash {
 public:
  // The key's two halves; all zero for content.
  explicit ContentHash(uint64_t key0 = 0, uint64_t key1 = 0);

  // How the bytes are cut into calls does not matter.
  ContentHash& add(std::span<const std::byte> bytes);

  // The bytes of a value that has no padding.
  template <typename T>
    requires std::has_unique_object_representations_v<T>
  ContentHash& add_value(const T& value) {
    return add(std::as_bytes(std::span(&value, 1)));
  }

  // The hash of all bytes so far; more may follow.
  uint64_t value() const;

 private:
  using State = std::array<uint64_t, 4>;
  static void round(State& state);
  static void absorb(State& state, uint64_t word);

  State state_;
  uint64_t pending_ = 0;  // the last size_ % 8 bytes, lowest first
  uint64_t size_ = 0;
};

}  // namespace ippatsu::data
